import { type FormEvent, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import {
  CreateTrigger,
  type CreateTriggerInput,
  DefinitionKeys,
  TestTrigger,
  UpdateTrigger,
} from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { useOperation } from '../api/use-operation.ts';
import { JsonField } from '../definitions/json-field.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { DeleteTriggerButton } from './delete-trigger.tsx';
import type { ListedTrigger } from './listed-trigger.ts';
import { outcomeInWords } from './outcomes.ts';
import { RecentEvents } from './recent-events.tsx';

const text = (value: unknown): string => (value == null ? '' : JSON.stringify(value, null, 2));

/**
 * A rule from event to job, which can be tried against an event before it is saved: nothing is enqueued by
 * that.
 */
export function TriggerEditor({
  trigger,
  onClose,
}: {
  readonly trigger: ListedTrigger | null;
  readonly onClose: () => void;
}) {
  const client = useMillrace();
  const [label, setLabel] = useState(trigger?.label ?? '');
  const [eventName, setEventName] = useState(trigger?.eventName ?? '');
  const [definition, setDefinition] = useState(trigger?.definition.key ?? '');
  const [condition, setCondition] = useState(text(trigger?.condition));
  const [template, setTemplate] = useState(text(trigger?.payloadTemplate ?? {}));
  const [data, setData] = useState('{}');
  const [problem, setProblem] = useState<string | null>(null);
  const keys = useOperation(DefinitionKeys, {});
  const read = (): CreateTriggerInput => ({
    label,
    eventName,
    definition,
    condition: condition.trim() === '' ? null : (JSON.parse(condition) as unknown),
    payloadTemplate: JSON.parse(template) as unknown,
  });
  const attempt = useAct(async () => {
    const given = { trigger: read(), event: { name: eventName, data: JSON.parse(data) as unknown } };
    return (await run(client, TestTrigger, { input: given })).testTrigger;
  });
  const save = useAct(
    async (input: CreateTriggerInput) => {
      if (trigger === null) done((await run(client, CreateTrigger, { input })).createTrigger);
      else done((await run(client, UpdateTrigger, { input: { id: trigger.id, ...input } })).updateTrigger);
    },
    { says: 'Saved', onDone: onClose },
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    try {
      save.mutate(read());
      setProblem(null);
    } catch (error) {
      setProblem(String(error));
    }
  };
  return (
    <Dialog
      title={trigger === null ? 'New trigger' : trigger.label}
      onClose={onClose}
      className="wide-dialog"
    >
      <form className="schedule-editor" onSubmit={submit}>
        <div className="fields">
          <label className="field">
            Name
            <input required value={label} onChange={({ target }) => setLabel(target.value)} />
          </label>
          <div className="fields two">
            <label className="field">
              Events with the name
              <input
                required
                placeholder="order.paid"
                value={eventName}
                onChange={({ target }) => setEventName(target.value)}
              />
            </label>
            <label className="field">
              Make a job of
              <select required value={definition} onChange={({ target }) => setDefinition(target.value)}>
                <option value="">Choose one</option>
                {keys.data?.jobDefinitions?.nodes.map(({ key }) => (
                  <option key={key}>{key}</option>
                ))}
              </select>
            </label>
          </div>
          <JsonField
            label="If (nothing: always)"
            rows={4}
            value={condition}
            problem={null}
            onChange={setCondition}
          />
          <JsonField
            label="With the payload"
            rows={5}
            value={template}
            problem={problem}
            onChange={setTemplate}
          />
        </div>
        <section className="preview fields" aria-label="Try it">
          <h3>Try it against an event</h3>
          <RecentEvents name={eventName} onChoose={setData} />
          <JsonField label="Data of the event" rows={6} value={data} problem={null} onChange={setData} />
          <div className="row">
            <button
              type="button"
              className="button"
              disabled={attempt.isPending || definition === ''}
              onClick={() => attempt.mutate(undefined)}
            >
              Try
            </button>
            <span className="muted small">Nothing is enqueued.</span>
          </div>
          {attempt.error !== null && <ErrorNote error={attempt.error} />}
          {attempt.data != null && (
            <div role="status" className={`note ${attempt.data.outcome === 'ENQUEUED' ? 'ok' : 'warn'}`}>
              <div>
                <p>
                  {attempt.data.outcome === 'ENQUEUED' || attempt.data.outcome === null
                    ? 'It would make this job:'
                    : `No job: ${outcomeInWords(attempt.data.outcome)}.`}
                </p>
                {attempt.data.reason !== null && <p>{attempt.data.reason}</p>}
                {attempt.data.payload != null && <pre className="code">{text(attempt.data.payload)}</pre>}
              </div>
            </div>
          )}
        </section>
        <div className="editor-foot">
          <FormFoot error={save.error} isPending={save.isPending} verb="Save" onClose={onClose}>
            {trigger !== null && (
              <DeleteTriggerButton id={trigger.id} label={trigger.label} noun="trigger" onDone={onClose} />
            )}
          </FormFoot>
        </div>
      </form>
    </Dialog>
  );
}
