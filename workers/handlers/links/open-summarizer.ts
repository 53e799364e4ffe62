import type { Config } from '../../../src/config/config.ts';
import { chatSummarizer } from './chat-summarizer.ts';
import { offlineSummarizer } from './offline-summarizer.ts';
import type { Summarizer } from './summarizer.ts';

/** The one that the configuration names: a chat model, or sentences of the text itself. */
export function openSummarizer(config: Pick<Config, 'aiUrl' | 'aiKey' | 'aiChatModel'>): Summarizer {
  const { aiUrl, aiKey, aiChatModel } = config;
  return aiUrl === null ? offlineSummarizer : chatSummarizer({ url: aiUrl, key: aiKey }, aiChatModel);
}
