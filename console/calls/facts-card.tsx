import type { CallDetailResult } from '../api/operations.gen.ts';
import { bytes } from '../parts/bytes.ts';

type Detail = NonNullable<CallDetailResult['call']>;

const NAMES: Readonly<Record<string, string>> = {
  call_recording: 'Recording',
  call_audio: 'Sound',
  call_waveform: 'Waveform',
  call_ogg: 'Sound as it was sent',
  call_transcript: 'Transcript',
};

/** In the currency that the prices were set in, which nobody has named here. */
function price(micros: number): string {
  return (micros / 1_000_000).toFixed(micros < 10_000 ? 4 : 2);
}

/** What a call has cost, and its files. */
export function FactsCard({ detail }: { readonly detail: Detail | null | undefined }) {
  if (detail == null) return null;
  const { cost, artifacts, transcript, analysis } = detail;
  return (
    <section className="card" aria-labelledby="facts">
      <header className="card-head">
        <h2 id="facts">Cost and files</h2>
      </header>
      <div className="card-body stack">
        <dl className="facts">
          <dt>Sound</dt>
          <dd className="num">
            {cost.audioSeconds.toFixed(1)} s
            {transcript !== null && ` (${transcript.provider}, ${transcript.operationCount} operations)`}
            {cost.speechMicros !== null && `, ${price(cost.speechMicros)}`}
          </dd>
          <dt>Summary</dt>
          <dd className="num">
            {cost.inputTokens + cost.outputTokens === 0
              ? 'none'
              : `${cost.inputTokens} + ${cost.outputTokens} tokens of ${analysis?.cost?.model ?? 'a model'}`}
            {cost.summaryMicros !== null && `, ${price(cost.summaryMicros)}`}
          </dd>
          <dt>Total</dt>
          <dd className="num">{cost.totalMicros === null ? 'no prices are set' : price(cost.totalMicros)}</dd>
        </dl>
        <ul className="files">
          {artifacts.map(({ kind, url, sizeBytes, contentType }) => (
            <li key={kind}>
              <a href={url} download>
                {NAMES[kind] ?? kind}
              </a>{' '}
              <span className="muted small num">
                {bytes(Number(sizeBytes))}, {contentType}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
