import { type ReactNode, useState } from 'react';
import { useAct } from '../api/use-act.ts';
import { Confirm } from './confirm.tsx';

/** A button for what cannot be undone, or reaches far: it asks, does it, and says that it is done. */
export function AskButton<Result>({
  label,
  className = 'button',
  face,
  title,
  verb,
  isDangerous,
  act,
  says,
  onDone,
  children,
}: {
  /** For those who do not see its place: "Delete the clip from 0:14". Without one its face says it. */
  readonly label?: string;
  readonly className?: string;
  /** What stands on the button. */
  readonly face: ReactNode;
  /** The question. */
  readonly title: string;
  /** The name of the act, on the button that does it. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly act: () => Promise<Result>;
  readonly says: string;
  readonly onDone?: (result: Result) => void;
  /** What comes of it. */
  readonly children: ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  const run = useAct(act, {
    says,
    onDone: (result) => {
      setAsking(false);
      onDone?.(result);
    },
  });
  return (
    <>
      <button type="button" className={className} aria-label={label} onClick={() => setAsking(true)}>
        {face}
      </button>
      {isAsking && (
        <Confirm
          title={title}
          verb={verb}
          isDangerous={isDangerous}
          isPending={run.isPending}
          error={run.error}
          onConfirm={() => run.mutate(undefined)}
          onClose={() => setAsking(false)}
        >
          {children}
        </Confirm>
      )}
    </>
  );
}
