import { isIP } from 'node:net';

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** What a setting of networks takes: an address, or one with how many of its first bits count. */
export const NETWORK = {
  test: (text: string): boolean => {
    const [address = '', prefix, ...more] = text.split('/');
    const bits = BITS[isIP(address)];
    if (bits === undefined || address.includes('%') || more.length > 0) return false;
    return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  },
};
