import { Copy } from 'lucide-react';
import { copyText } from './copy.ts';

/** A secret, this once: the server does not give it again. */
export function SecretShown({
  what,
  secret,
  onClose,
}: {
  readonly what: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <div className="stack">
      <p>{what}</p>
      <pre className="code" data-secret>
        {secret}
      </pre>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={() => void copyText(secret)}>
          <Copy aria-hidden="true" size={15} /> Copy
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </div>
  );
}
