// The product slot. PRODUCT_ADAPTER names an .mjs or .ts file whose default export
// is a factory `(Peer, helpers) => class extends Peer {...}`, or an array of them
// (one a variant). A class with `static variant = 'x'` is the peer 'product-x',
// one without is 'product'. The README has the hooks.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { Peer } from '../lib/peer.mjs';
import { makePool } from '../lib/pgpool.mjs';
import * as util from '../lib/util.mjs';

class NoProduct extends Peer {
  static async unavailable() {
    return 'PRODUCT_ADAPTER is not set';
  }
}

async function load(path) {
  const made = (await import(pathToFileURL(resolve(path)).href)).default;
  const out = {};
  for (const factory of [made].flat()) {
    const Cls = factory(Peer, { pg, makePool, ...util });
    if (!(Cls?.prototype instanceof Peer))
      throw new Error(`${path}: a factory did not return a class extending Peer`);
    const id = Cls.variant ? `product-${Cls.variant}` : 'product';
    if (out[id]) throw new Error(`${path}: two classes for '${id}'; give one a static variant`);
    out[id] = Cls;
  }
  return out;
}

const path = process.env.PRODUCT_ADAPTER;
export const products = path ? await load(path) : { product: NoProduct };
