import { redactText } from './redact-text.ts';
import { isSecretField, SECRET_SHOWN } from './secret-name.ts';

/** Deeper values are replaced as a whole, so that no secret passes below. */
const MAX_DEPTH = 64;
/** Values that one line shows at most. */
const MAX_VALUES = 20_000;
const OMITTED = '[omitted]';

/**
 * A copy of a value for a log: secrets are replaced by name at any depth and by form in texts, errors are
 * written out, and what JSON cannot hold (a circle, a getter that throws, a BigInt) is said in words. Never
 * throws.
 * @param errors `whole`: with stacks and own fields, for operators; `brief`: name and message, for those who
 *   may see a job
 */
export function redact(value: unknown, errors: 'whole' | 'brief' = 'whole'): unknown {
  return new Redaction(errors).copy(value, 0);
}

class Redaction {
  readonly #above = new Set<object>();
  readonly #errors: 'whole' | 'brief';
  #valueCount = 0;

  constructor(errors: 'whole' | 'brief') {
    this.#errors = errors;
  }

  copy(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return redactText(value);
      case 'bigint':
        return value.toString();
      case 'object':
        return value === null ? null : this.#copyObject(value, depth);
      case 'symbol':
      case 'function':
        return undefined;
      default:
        return value;
    }
  }

  #copyObject(value: object, depth: number): unknown {
    if (this.#above.has(value)) return '[not JSON: a circle]';
    if (depth >= MAX_DEPTH || this.#valueCount++ >= MAX_VALUES) return OMITTED;
    this.#above.add(value);
    try {
      if (value instanceof Error) return this.#copyError(value, depth);
      if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
      const toJson = (value as { toJSON?: unknown }).toJSON;
      if (typeof toJson === 'function') return this.copy(toJson.call(value), depth + 1);
      if (Array.isArray(value)) return this.#copyArray(value, depth);
      return this.#copyFields(value, Object.keys(value), depth);
    } catch {
      return '[not JSON: unreadable]';
    } finally {
      this.#above.delete(value);
    }
  }

  #copyArray(value: readonly unknown[], depth: number): unknown {
    const copied: unknown[] = [];
    for (const item of value) {
      if (this.#valueCount++ >= MAX_VALUES) {
        copied.push(OMITTED);
        break;
      }
      copied.push(this.copy(item, depth + 1) ?? null);
    }
    return copied;
  }

  #copyFields(value: object, names: readonly string[], depth: number): Record<string, unknown> {
    const copied: Record<string, unknown> = {};
    for (const name of names) {
      if (this.#valueCount++ >= MAX_VALUES) {
        copied['more'] = OMITTED;
        break;
      }
      const field = fieldOf(value, name);
      const shown = isSecretField(name, field) && field != null ? SECRET_SHOWN : this.copy(field, depth + 1);
      // Defined, not assigned: `__proto__` is a name like any other here.
      Object.defineProperty(copied, name, {
        value: shown,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copied;
  }

  /** As pino writes an error: its type, message, stack and own fields. */
  #copyError(error: Error, depth: number): Record<string, unknown> {
    if (this.#errors === 'brief') return this.#copyFields(error, ['name', 'message'], depth);
    const said = this.#copyFields(error, ['name', 'message', 'stack'], depth);
    const { name, ...rest } = said;
    const others = Object.keys(error).filter((field) => !(field in said));
    return {
      type: name,
      ...rest,
      ...this.#copyFields(error, others, depth),
      ...(Object.hasOwn(error, 'cause') && { cause: this.copy(fieldOf(error, 'cause'), depth + 1) }),
    };
  }
}

function fieldOf(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return '[not JSON: unreadable]';
  }
}
