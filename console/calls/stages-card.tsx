import type { CallDetailResult } from '../api/operations.gen.ts';
import { Stages } from '../parts/stages.tsx';

type CallStages = NonNullable<CallDetailResult['call']>['stages'];

const NAMES = {
  EXTRACT_AUDIO: 'Take out the sound',
  TRANSCRIBE_START: 'Send it',
  TRANSCRIBE_POLL: 'Transcribe',
  ANALYZE: 'Analyse',
} as const;
/** The stages of the work on a call, from left to right, each with its job. */
export function StagesCard({ stages }: { readonly stages: CallStages | undefined }) {
  if (stages === undefined) return null;
  return (
    <section className="card" aria-labelledby="stages">
      <header className="card-head">
        <h2 id="stages">Stages</h2>
      </header>
      <Stages
        stages={stages.map(({ stage, status, progress, job }) => ({
          name: NAMES[stage],
          status,
          percent: progress?.percent,
          job,
        }))}
      />
    </section>
  );
}
