import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of black pixels of 64 bits: large to decode, small to send. */
export function blackPng(widthPx: number, heightPx: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    return Buffer.concat([uint32be(data.length), named, uint32be(crc32(named))]);
  };
  const head = Buffer.concat([uint32be(widthPx), uint32be(heightPx), Buffer.from([16, 6, 0, 0, 0])]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((widthPx * 8 + 1) * heightPx), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An AVI of PNG pictures, one a second, which says that they are of the given size. */
export async function writePngAvi(
  path: string,
  pictures: readonly Buffer[],
  [widthPx, heightPx]: readonly [number, number],
): Promise<string> {
  const chunk = (type: string, data: Buffer): Buffer =>
    Buffer.concat([Buffer.from(type, 'latin1'), uint32le(data.length), data, Buffer.alloc(data.length % 2)]);
  const list = (type: string, data: Buffer): Buffer =>
    chunk('LIST', Buffer.concat([Buffer.from(type, 'latin1'), data]));
  const words = (...values: readonly number[]): Buffer => Buffer.concat(values.map(uint32le));
  const count = pictures.length;
  const main = words(1_000_000, 0, 0, 0x10, count, 0, 1, 0, widthPx, heightPx, 0, 0, 0, 0);
  const header = Buffer.concat([
    Buffer.from('vidsMPNG', 'latin1'),
    words(0, 0, 0, 1, 1, 0, count, 0, 0, 0, 0, 0),
  ]);
  const format = Buffer.concat([
    words(40, widthPx, heightPx, 1 + (32 << 16)),
    Buffer.from('MPNG', 'latin1'),
    words(0, 0, 0, 0, 0),
  ]);
  const stream = list('strl', Buffer.concat([chunk('strh', header), chunk('strf', format)]));
  const movie = list('movi', Buffer.concat(pictures.map((picture) => chunk('00dc', picture))));
  const body = Buffer.concat([
    Buffer.from('AVI ', 'latin1'),
    list('hdrl', Buffer.concat([chunk('avih', main), stream])),
    movie,
  ]);
  await writeFile(path, Buffer.concat([Buffer.from('RIFF', 'latin1'), uint32le(body.length), body]));
  return path;
}

/** Copies an MP4 whose head claims another length. */
export async function claimLength(from: string, to: string, seconds: number): Promise<string> {
  const bytes = await readFile(from);
  const at = bytes.indexOf('mvhd', 0, 'latin1') + 4;
  bytes.writeUInt32BE(Math.round(bytes.readUInt32BE(at + 12) * seconds), at + 16);
  await writeFile(to, bytes);
  return to;
}

/** Copies a MOV whose pictures are said to be in another file beside it. The index must stand at the end. */
export async function referOutside(from: string, directory: string, name: string): Promise<string> {
  const bytes = await readFile(from);
  const alias = Buffer.alloc(10 + 1 + 27 + 12 + 1 + 63 + 16 + 2 + 2 + 16);
  alias.write('other.mov', 51, 'latin1');
  alias[50] = 'other.mov'.length;
  alias.writeInt16BE(1, 130);
  alias.writeInt16BE(1, 132);
  const path = Buffer.from('/etc/other.mov\0\0', 'latin1');
  const absolute = Buffer.concat([
    Buffer.from([0, 2, 0, path.length]),
    path,
    Buffer.from([0xff, 0xff, 0, 0]),
  ]);
  const entry = Buffer.concat([
    uint32be(8 + 4 + alias.length + absolute.length),
    Buffer.from('alis', 'latin1'),
    Buffer.alloc(4),
    alias,
    absolute,
  ]);
  const at = bytes.indexOf(Buffer.from('url \0\0\0\x01', 'latin1')) - 4;
  const grown = entry.length - 12;
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const box = bytes.lastIndexOf(type, at, 'latin1') - 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(box) + grown, box);
  }
  const made = join(directory, name);
  await writeFile(made, Buffer.concat([bytes.subarray(0, at), entry, bytes.subarray(at + 12)]));
  return made;
}

function uint32be(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint32le(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
