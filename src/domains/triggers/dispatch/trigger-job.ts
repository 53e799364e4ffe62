import { createHash } from 'node:crypto';
import { DomainError } from '../../../core/errors.ts';
import type { JobSource } from '../../../core/job.ts';
import { MadeOnce } from '../../../core/made-once.ts';
import type { CheckedJob } from '../../../core/producer-queue.ts';
import type { DefinitionRow } from '../../../db/sql/queue/find-definitions.ts';
import { parseTemplate, type TemplateNode } from '../template/parse-template.ts';
import { renderTemplate, type TemplateContext, TemplateRenderError } from '../template/render-template.ts';

/** Checks a payload by its definition's schema. @returns the payload as it is stored @throws DomainError */
export type PayloadCheck = (tenantId: string, definition: DefinitionRow, payload: unknown) => unknown;

/** A trigger as far as its jobs go. */
export interface JobOrder {
  readonly trigger: {
    readonly id: string;
    readonly tenant_id: string;
    readonly version: string;
    readonly payload_template: unknown;
    readonly priority: number;
    readonly created_by: string | null;
    readonly definition_key: string;
  };
  readonly source: Extract<JobSource, 'event' | 'schedule'>;
  readonly sourceRef: string;
  readonly correlationId: string | null;
  readonly context: TemplateContext;
  /**
   * Another job of the trigger with the same payload within this time, or as long as it is active, stands for
   * this one; 0: never.
   */
  readonly dedupeWindowSeconds: number;
}

/** Why there is no job. */
export interface NoJob {
  readonly outcome: 'template_error' | 'payload_refused' | 'definition_inactive';
  readonly reason: string;
}

/** Templates by trigger and version: a batch has the same ones again and again. */
const templates = new MadeOnce<TemplateNode>(5_000);

/** Fills the template and checks the payload. Never throws for what the trigger's owner wrote. */
export async function orderedJob(
  order: JobOrder,
  definition: DefinitionRow | undefined,
  { checkPayload }: { readonly checkPayload: PayloadCheck },
): Promise<CheckedJob | NoJob> {
  const { trigger } = order;
  if (definition === undefined || !definition.is_active)
    return {
      outcome: 'definition_inactive',
      reason: `Job definition ${trigger.definition_key} is not active.`,
    };
  try {
    const payload = renderTemplate(templateOf(trigger), order.context);
    const checked = await checkPayload(trigger.tenant_id, definition, payload);
    return {
      tenantId: trigger.tenant_id,
      input: {
        definitionKey: trigger.definition_key,
        payload: checked,
        source: order.source,
        sourceRef: order.sourceRef,
        priority: trigger.priority,
        correlationId: order.correlationId,
        createdBy: trigger.created_by,
        ...dedupeOf(order, payload),
      },
      revision: definition.revision,
    };
  } catch (error) {
    if (error instanceof TemplateRenderError)
      return { outcome: 'template_error', reason: `${error.field}: ${error.message}` };
    if (error instanceof DomainError)
      return { outcome: 'payload_refused', reason: error.message.slice(0, 2_000) };
    throw error;
  }
}

function templateOf({ id, version, payload_template }: JobOrder['trigger']): TemplateNode {
  return templates.get(`${id} ${version}`, () => parseTemplate(payload_template));
}

function dedupeOf(
  { trigger, dedupeWindowSeconds }: JobOrder,
  payload: unknown,
): { dedupeKey?: string; dedupeWindowSeconds?: number } {
  if (dedupeWindowSeconds === 0) return {};
  const digest = createHash('sha256').update(JSON.stringify(payload)).digest('base64url');
  return { dedupeKey: `trigger:${trigger.id}:${digest}`, dedupeWindowSeconds };
}
