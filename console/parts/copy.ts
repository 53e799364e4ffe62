import { toast } from './toasts.tsx';

/** Copies also where the clipboard is closed, as on plain http. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied');
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    toast(isDone ? 'Copied' : 'The browser does not let this page copy', !isDone);
  }
}
