/** Sizes of the page in CSS pixels, which are those of the video. */
export const FEED_SIZE = { widthPx: 1280, heightPx: 720 };

const NAMES =
  'Maria Jonas Aylin Peter Chiara Tomasz Ingrid Samuel Hannah Victor Leonie Daniel Sofia Martin'.split(' ');
const WORDS =
  'market update morning coffee river bridge garden station window yellow planet engine paper silver mountain letter ' +
  'training ticket summer winter holiday kitchen recipe bread butter pepper orange lemon village harbour captain doctor ' +
  'teacher student library history science picture camera lantern candle shadow bright little gentle strong quick simple ' +
  'travel ocean island forest weather thunder rain cloud signal radio record concert guitar piano violin dance theatre ' +
  'second minute number answer question problem project meeting report budget invoice payment delivery package customer ' +
  'with from about under after before while during without between because several another every people could should';
const VOCABULARY = WORDS.split(' ');
const TAGS = '#travel #cooking #music #science #history #garden #sports #news'.split(' ');
const DOMAINS = 'example.com/offers www.example.org shop.example.net/sale news.example.com/today'.split(' ');

/** Numbers from 0 to 1, the same ones for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A feed of posts, as a social network shows it: fixed head and sidebar, posts that scroll below them. */
export function feedHtml(theme: 'light' | 'dark', seed: number, postCount: number): string {
  const random = randomOf(seed);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] as string;
  const sentence = (): string => {
    const words = Array.from({ length: 9 + Math.floor(random() * 14) }, () => pick(VOCABULARY));
    const text = words.join(' ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  const price = (): string => `$${10 + Math.floor(random() * 90)}.${10 + Math.floor(random() * 90)}`;
  const post = (): string => {
    const name = pick(NAMES);
    const handle = `@${name.toLowerCase()}${10 + Math.floor(random() * 90)}`;
    const minutes = 2 + Math.floor(random() * 57);
    const extra =
      random() < 0.5 ? `Now at ${pick(DOMAINS)} for ${price()} only` : `${pick(TAGS)} ${pick(TAGS)}`;
    return `<article><header><b>${name}</b> <i>${handle}</i> <i>${minutes} min</i></header><p>${sentence()} ${sentence()}</p>
      <p>${extra}</p><footer><span>${2 + Math.floor(random() * 97)} comments</span> <span>${12 + Math.floor(random() * 870)} likes</span>
      <span class="price">${price()}</span></footer></article>`;
  };
  const colors =
    theme === 'dark'
      ? '--back:#15202b;--card:#1e2a36;--text:#e7e9ea;--soft:#9aa7b2;--line:#38444d'
      : '--back:#f3f5f7;--card:#ffffff;--text:#0f1419;--soft:#536471;--line:#d6dde2';
  return `<!doctype html><meta charset="utf-8"><style>
    :root{${colors}} *{box-sizing:border-box;margin:0} html{scroll-behavior:auto;scrollbar-width:none}
    body{background:var(--back);color:var(--text);font:17px/1.45 "Open Sans","DejaVu Sans",Arial,sans-serif}
    #head{position:fixed;inset:0 0 auto 0;height:52px;padding:12px 32px;background:var(--card);border-bottom:1px solid var(--line);font-size:19px;z-index:1}
    #side{position:fixed;top:72px;right:32px;width:300px;padding:16px;background:var(--card);border:1px solid var(--line)}
    main{width:820px;margin:72px 0 0 64px} article{padding:14px 20px;margin-bottom:14px;background:var(--card);border:1px solid var(--line)}
    p{margin:7px 0;hyphens:none} i{font-style:normal;color:var(--soft);margin-left:10px} footer span{margin-right:34px;color:var(--soft)}
    footer .price{color:var(--text);font-weight:600}</style>
    <div id="head"><b>Home</b> <i>Latest posts of people you follow</i></div>
    <div id="side"><b>What is new</b>${[0, 1, 2, 3].map(() => `<p>${pick(TAGS)} ${100 + Math.floor(random() * 900)} posts</p>`).join('')}</div>
    <main>${Array.from({ length: postCount }, post).join('')}</main>`;
}
