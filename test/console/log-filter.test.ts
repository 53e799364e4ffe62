import { describe, expect, it } from 'vitest';
import { type LogFilter, linesShown } from '../../console/job/log-filter.ts';
import type { LogLineShown } from '../../console/job/shown-line.ts';

const NONE: LogFilter = { hidden: new Set(), wanted: '', runNo: null };
const line = (lineNo: number, message: string, more: Partial<LogLineShown> = {}): LogLineShown => ({
  runNo: 1,
  lineNo,
  level: 'INFO',
  message,
  data: null,
  loggedAt: '2026-11-30T12:00:00Z',
  ...more,
});
const LINES = [
  line(1, 'Order paid', { data: { orderId: 4711 } }),
  line(2, 'a detail', { level: 'DEBUG' }),
  line(3, 'frame=1', { data: { stream: 'stderr' } }),
  line(1, 'tried again', { runNo: 2 }),
];
const shown = (change: Partial<LogFilter>, lines = LINES) =>
  linesShown(lines, { ...NONE, ...change }).map(({ message }) => message);

describe('the filter of a log', () => {
  it('is of levels, of streams, of a run, and of any part of what a line shows, its fields too', () => {
    expect(shown({})).toHaveLength(4);
    expect(shown({ hidden: new Set(['DEBUG', 'stderr']) })).toEqual(['Order paid', 'tried again']);
    expect(shown({ runNo: 2 })).toEqual(['tried again']);
    expect(shown({ wanted: 'order PAID' })).toEqual(['Order paid']);
    expect(shown({ wanted: 'orderid":4711' })).toEqual(['Order paid']);
    // What names the stream is not shown as a field.
    expect(shown({ wanted: 'stderr' })).toEqual([]);
  });

  it('holds for lines that come later', () => {
    const later = [...LINES, line(4, 'another detail', { level: 'DEBUG' }), line(5, 'paid again')];
    expect(shown({ hidden: new Set(['DEBUG']), wanted: 'paid' }, later)).toEqual([
      'Order paid',
      'paid again',
    ]);
  });
});
