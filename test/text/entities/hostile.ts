/**
 * What a pattern with a quantifier inside another, or two that may take the same letters, would try in ever
 * more ways.
 */
export const HOSTILE: readonly string[] = [
  ...[
    '1',
    '1 ',
    '1,',
    '1.',
    '1 234 ',
    '1,234',
    '1.234',
    '12,34,',
    "1'234",
    '1k',
    '1%',
    '1$',
    '€ 1 ',
    'Rs. ',
    '共1',
  ],
  ...['+', '+1 ', '+1-', '0 1', '01 23 ', '(555) ', 'tel 1 ', '12345678-', '1:1', '1/1', '1.1.1.1:', '&#1;'],
  ...['a.', 'a-', 'a', '@', '@a.', '@a-', '@a@', '#', '#a', '#\u200C', 'a@', 'a@a.', 'e\u0301'],
  ...['http://', 'http://a(', '(', ')', 'https://[', 'https://a:', 'www.', 'a.com/', 'localhost:1'],
  ...['👍🏽', '👨\u200D', '\u200D', '🇩', '1\u20E3', '\uFE0F', ' ', '\u00A0', '\uD83D', '\uFFFC'],
];
