import { useMutation } from '@tanstack/react-query';
import { Copy, Download } from 'lucide-react';
import { copyText } from '../parts/copy.ts';
import { downloadFile } from '../parts/download.ts';
import { toast } from '../parts/toasts.tsx';
import type { LogLineShown } from './shown-line.ts';
import { wholeLogFile } from './whole-log.ts';

/** What is shown to the clipboard, and all of it as a file. */
export function LogActs({
  jobId,
  lines,
}: {
  readonly jobId: string;
  readonly lines: readonly LogLineShown[];
}) {
  const download = useMutation({
    mutationFn: async () => downloadFile(`${jobId}.log`, await wholeLogFile(jobId)),
    onError: (error) => toast(error.message, true),
  });
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Copy the lines shown"
        disabled={lines.length === 0}
        onClick={() => void copyText(lines.map(textOf).join('\n'))}
      >
        <Copy aria-hidden="true" size={16} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Download the whole log"
        aria-busy={download.isPending}
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        <Download aria-hidden="true" size={16} />
      </button>
    </>
  );
}

/** As the downloaded file has it. */
function textOf({ loggedAt, level, message }: LogLineShown): string {
  return `${loggedAt} ${level.toLowerCase()} ${message}`;
}
