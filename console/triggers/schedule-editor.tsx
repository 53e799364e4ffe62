import { type FormEvent, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { CreateTrigger, DefinitionKeys, UpdateTrigger } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { useOperation } from '../api/use-operation.ts';
import { JsonField } from '../definitions/json-field.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { DeleteTriggerButton } from './delete-trigger.tsx';
import type { ListedTrigger } from './listed-trigger.ts';
import { SchedulePreviewTable } from './schedule-preview.tsx';
import { previewAfter, timesOf, timingOf } from './timing.ts';
import { TimingFields } from './timing-fields.tsx';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface Draft {
  readonly label: string;
  readonly definition: string;
  readonly timeZone: string;
  readonly missingHour: 'AFTER' | 'SKIP';
  readonly repeatedHour: 'BOTH' | 'FIRST';
  readonly missedRuns: 'BACKFILL' | 'RUN_ONCE' | 'SKIP';
  readonly payload: string;
}

function draftOf(trigger: ListedTrigger | null): Draft {
  return {
    label: trigger?.label ?? '',
    definition: trigger?.definition.key ?? '',
    timeZone: trigger?.timeZone ?? OWN_ZONE,
    missingHour: trigger?.missingHour ?? 'AFTER',
    repeatedHour: trigger?.repeatedHour ?? 'FIRST',
    missedRuns: trigger?.missedRuns ?? 'RUN_ONCE',
    payload: JSON.stringify(trigger?.payloadTemplate ?? {}, null, 2),
  };
}

/** A schedule with its next runs beside it, as the server would make them. */
export function ScheduleEditor({
  trigger,
  onClose,
}: {
  readonly trigger: ListedTrigger | null;
  readonly onClose: () => void;
}) {
  const client = useMillrace();
  const [draft, setDraft] = useState(() => draftOf(trigger));
  const [timing, setTiming] = useState(() => timingOf(trigger));
  const [problem, setProblem] = useState<string | null>(null);
  const keys = useOperation(DefinitionKeys, {});
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));
  const times = timesOf(timing, trigger);
  const save = useAct(
    async (payloadTemplate: unknown) => {
      const { payload: _, ...rest } = draft;
      const input = { ...rest, ...times, payloadTemplate };
      if (trigger === null) done((await run(client, CreateTrigger, { input })).createTrigger);
      else done((await run(client, UpdateTrigger, { input: { id: trigger.id, ...input } })).updateTrigger);
    },
    { says: 'Saved', onDone: onClose },
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    try {
      const payload = JSON.parse(draft.payload) as unknown;
      setProblem(null);
      save.mutate(payload);
    } catch (error) {
      setProblem(String(error));
    }
  };
  const { label, definition, timeZone, missingHour, repeatedHour, missedRuns } = draft;
  const rules = { ...times, timeZone, missingHour, repeatedHour };
  return (
    <Dialog title={trigger === null ? 'New schedule' : label} onClose={onClose} className="wide-dialog">
      <form className="schedule-editor" onSubmit={submit}>
        <div className="fields">
          <label className="field">
            Name
            <input required value={label} onChange={({ target }) => set({ label: target.value })} />
          </label>
          <label className="field">
            Definition
            <select required value={definition} onChange={({ target }) => set({ definition: target.value })}>
              <option value="">Choose one</option>
              {keys.data?.jobDefinitions?.nodes.map(({ key }) => (
                <option key={key}>{key}</option>
              ))}
            </select>
          </label>
          <TimingFields
            timing={timing}
            onChange={(change) => setTiming((before) => ({ ...before, ...change }))}
          />
          <div className="fields two">
            <label className="field">
              Time zone
              <input
                required
                list="zones"
                value={timeZone}
                onChange={({ target }) => set({ timeZone: target.value })}
              />
              <datalist id="zones">
                {ZONES.map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </label>
            {timing.kind === 'cron' && (
              <>
                <label className="field">
                  In the hour that a clock skips
                  <select
                    value={missingHour}
                    onChange={({ target }) => set({ missingHour: target.value as 'AFTER' })}
                  >
                    <option value="AFTER">run right after it</option>
                    <option value="SKIP">do not run</option>
                  </select>
                </label>
                <label className="field">
                  In the hour that a clock repeats
                  <select
                    value={repeatedHour}
                    onChange={({ target }) => set({ repeatedHour: target.value as 'FIRST' })}
                  >
                    <option value="FIRST">run the first time</option>
                    <option value="BOTH">run both times</option>
                  </select>
                </label>
              </>
            )}
            <label className="field">
              Runs that were missed
              <select
                value={missedRuns}
                onChange={({ target }) => set({ missedRuns: target.value as 'SKIP' })}
              >
                <option value="RUN_ONCE">run once for all of them</option>
                <option value="SKIP">are left out</option>
                <option value="BACKFILL">are made up for</option>
              </select>
            </label>
          </div>
          <JsonField
            label="Payload template"
            rows={6}
            value={draft.payload}
            problem={problem}
            onChange={(payload) => set({ payload })}
          />
        </div>
        <SchedulePreviewTable input={rules} after={previewAfter(rules, trigger)} />
        <div className="editor-foot">
          <FormFoot error={save.error} isPending={save.isPending} verb="Save" onClose={onClose}>
            {trigger !== null && (
              <DeleteTriggerButton id={trigger.id} label={trigger.label} noun="schedule" onDone={onClose} />
            )}
          </FormFoot>
        </div>
      </form>
    </Dialog>
  );
}
