/** Longer names are of no use to people, and each is part of a URL. */
const MAX_NAME_CHARACTERS = 80;
/** With the range of a clip behind it. */
const MAX_PLAIN_CHARACTERS = 150;

/**
 * What some file system or shell forbids in names, control characters, and those that turn the direction of
 * writing.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu;

/**
 * A file name that every system takes, for what a video's title is the name of.
 * @param title any text
 * @param key of the object, whose ending the name gets
 * @param detail stands behind the title, and is never cut
 */
export function fileNameOf(title: string, key: string, detail = ''): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(key)?.[0] ?? '';
  const bare = title.toLowerCase().endsWith(ending.toLowerCase())
    ? title.slice(0, title.length - ending.length)
    : title;
  const words = bare.replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim();
  const cut = [...words]
    .slice(0, MAX_NAME_CHARACTERS)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${cut === '' ? 'video' : cut}${detail === '' ? '' : ` ${detail}`}${ending}`;
}

/**
 * The header `Content-Disposition` (RFC 6266) of a file that a browser shows where it can, and saves under
 * this name. Names beyond ASCII come twice: first for programs that do not know the second form.
 */
export function dispositionOf(fileName: string): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(fileName)?.[0] ?? '';
  const stem = fileName
    .slice(0, fileName.length - ending.length)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%]/g, '_')
    // One character may stand for eighteen.
    .slice(0, MAX_PLAIN_CHARACTERS);
  const plain = `${stem.trim() === '' ? 'video' : stem}${ending}`;
  const extended = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${extended}`}`;
}
