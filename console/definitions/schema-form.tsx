// Imports the form alone: the package's index needs a validator that compiles code.
import Form from '@rjsf/core/lib/components/Form.js';
import type { ErrorSchema, RJSFSchema, UiSchema } from '@rjsf/utils';
import { useMemo } from 'react';
import type { PayloadProblem } from '../../src/client/index.ts';
import { schemaValidator } from './schema-validator.ts';

const UI: UiSchema = {
  'ui:submitButtonOptions': { submitText: 'Enqueue', props: { className: 'button primary' } },
};

/** A form made of a JSON Schema. What the server refuses is shown at its field. */
export function SchemaForm({
  schema,
  value,
  problems,
  isPending,
  onChange,
  onSubmit,
}: {
  readonly schema: unknown;
  readonly value: unknown;
  readonly problems: readonly PayloadProblem[];
  readonly isPending: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onSubmit: (value: unknown) => void;
}) {
  const errors = useMemo(() => errorsOf(problems), [problems]);
  return (
    <Form
      className="schema-form"
      schema={schema as RJSFSchema}
      uiSchema={UI}
      validator={schemaValidator}
      formData={value}
      extraErrors={errors}
      extraErrorsBlockSubmit={false}
      disabled={isPending}
      showErrorList={false}
      noHtml5Validate
      onChange={({ formData }) => onChange(formData)}
      onSubmit={({ formData }) => onSubmit(formData)}
    />
  );
}

/** `payload.items[3].url` as the tree that the form takes. */
function errorsOf(problems: readonly PayloadProblem[]): ErrorSchema {
  const root: Record<string, unknown> = {};
  for (const { field, message } of problems) {
    let at = root;
    for (const name of field.match(/[^.[\]]+/g)?.slice(1) ?? []) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at['__errors'] = [...((at['__errors'] as string[] | undefined) ?? []), message];
  }
  return root as ErrorSchema;
}
