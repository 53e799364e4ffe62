import type { CallDetailResult } from '../api/operations.gen.ts';
import { Badge } from '../parts/status.tsx';
import { clock } from '../videos/clock.ts';
import { speakerName } from './speaker-name.ts';

type Analysis = NonNullable<NonNullable<CallDetailResult['call']>['analysis']>;

const TONES: Readonly<Record<string, 'ok' | 'bad' | 'idle' | 'warn'>> = {
  positive: 'ok',
  negative: 'bad',
  mixed: 'warn',
};

/** What the transcript says: who takes part and how, what is asked, named and promised. */
export function AnalysisCard({
  analysis,
  speakers,
  onSeek,
}: {
  readonly analysis: Analysis | null | undefined;
  readonly speakers: readonly string[];
  readonly onSeek: (ms: number) => void;
}) {
  if (analysis == null) return null;
  const { overview, speakerStatistics, questions, keywords, entities, silenceMs } = analysis;
  return (
    <section className="card" aria-labelledby="analysis">
      <header className="card-head">
        <h2 id="analysis">Analysis</h2>
        {overview !== null && <Badge tone={TONES[overview.sentiment] ?? 'idle'}>{overview.sentiment}</Badge>}
      </header>
      <div className="card-body stack">
        {overview !== null && (
          <>
            <p>{overview.summary}</p>
            {overview.topics.length > 0 && <p className="muted small">{overview.topics.join(' · ')}</p>}
            {overview.actionItems.length > 0 && (
              <ul className="actions-list">
                {overview.actionItems.map(({ text, owner }) => (
                  <li key={text}>
                    {text}
                    {owner !== null && <span className="muted"> ({owner})</span>}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
        <table className="plain">
          <caption className="visually-hidden">Who takes part, and how</caption>
          <thead>
            <tr>
              <th scope="col">Speaker</th>
              <th scope="col">Talk</th>
              <th scope="col">Words</th>
              <th scope="col">Questions</th>
              <th scope="col">Interrupts</th>
            </tr>
          </thead>
          <tbody>
            {speakerStatistics.map((each) => (
              <tr key={each.speaker}>
                <th scope="row">{speakerName(speakers, each.speaker)}</th>
                <td className="num">
                  {Math.round(each.talkRatio * 100)} % ({clock(each.talkMs)})
                </td>
                <td className="num">{each.wordCount}</td>
                <td className="num">{each.questionCount}</td>
                <td className="num">{each.interruptionCount}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="muted small">Nobody speaks for {clock(silenceMs)} in all.</p>
        {keywords.length > 0 && (
          <Moments
            title="Said often"
            moments={keywords.map(({ text, count, firstAtMs }) => [`${text} × ${count}`, firstAtMs])}
            onSeek={onSeek}
          />
        )}
        {entities.length > 0 && (
          <Moments
            title="Named"
            moments={entities.map(({ type, value, atMs }) => [`${value} (${type})`, atMs])}
            onSeek={onSeek}
          />
        )}
        {questions.length > 0 && (
          <Moments title="Asked" moments={questions.map(({ text, atMs }) => [text, atMs])} onSeek={onSeek} />
        )}
      </div>
    </section>
  );
}

function Moments({
  title,
  moments,
  onSeek,
}: {
  readonly title: string;
  readonly moments: readonly (readonly [string, number])[];
  readonly onSeek: (ms: number) => void;
}) {
  return (
    <div>
      <h3 className="small muted">{title}</h3>
      <ul className="moments">
        {moments.map(([text, atMs]) => (
          <li key={`${text} ${atMs}`}>
            <button type="button" className="button small" onClick={() => onSeek(atMs)}>
              {text} <span className="num muted">{clock(atMs)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
