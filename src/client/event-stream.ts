/** One message of `text/event-stream`. */
export interface StreamMessage {
  readonly event: string;
  readonly data: string;
}

/** Cuts text that comes in pieces into messages. Comments, which servers send as pings, give none. */
export class EventStreamParser {
  #rest = '';
  #event = '';
  #data: string[] = [];

  push(piece: string): StreamMessage[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): StreamMessage | null {
    if (line === '') return this.#flush();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    return null;
  }

  #flush(): StreamMessage | null {
    const message = { event: this.#event || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#event === '' && this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? null : message;
  }
}
