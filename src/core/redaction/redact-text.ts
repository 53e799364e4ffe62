import { isSecretField, SECRET_SHOWN } from './secret-name.ts';

/** Where the authority of a URL ends. */
const AUTHORITY_END = /[\s/?#"'<>\\]/g;
/**
 * `name=value` in a query or a connection string. Bounded names: each place of a text is looked at a fixed
 * number of times.
 */
const PARAMETER = /(?<=^|[?&;\s"'])([A-Za-z][\w.-]{0,63})=([^&;\s"']+)/g;
const BEARER = /\b(Bearer|Basic) +[\w.~+/=-]{8,}/g;

/**
 * A text without the secrets that can be recognised by their form: passwords of URLs, parameters of secret
 * names (`access_token=…`) and `Bearer` credentials. Takes time that grows with the length alone, whatever
 * the text.
 */
export function redactText(text: string): string {
  let redacted = text;
  if (redacted.includes('://')) redacted = withoutUrlPasswords(redacted);
  if (redacted.includes('='))
    redacted = redacted.replaceAll(PARAMETER, (whole, name: string) =>
      isSecretField(name) ? `${name}=${SECRET_SHOWN}` : whole,
    );
  if (redacted.includes('Bearer ') || redacted.includes('Basic '))
    redacted = redacted.replaceAll(BEARER, (_, scheme: string) => `${scheme} ${SECRET_SHOWN}`);
  return redacted;
}

function withoutUrlPasswords(text: string): string {
  let redacted = '';
  let doneTo = 0;
  for (let at = text.indexOf('://'); at !== -1; ) {
    const from = at + 3;
    AUTHORITY_END.lastIndex = from;
    const to = AUTHORITY_END.exec(text)?.index ?? text.length;
    const authority = text.slice(from, to);
    const hostAt = authority.lastIndexOf('@');
    const colonAt = authority.indexOf(':');
    if (colonAt !== -1 && colonAt < hostAt) {
      redacted += `${text.slice(doneTo, from + colonAt + 1)}${SECRET_SHOWN}`;
      doneTo = from + hostAt;
    }
    at = text.indexOf('://', Math.max(to, from));
  }
  return redacted + text.slice(doneTo);
}
