import type { PayloadOf } from '../../../src/core/definition.ts';
import { PermanentError, RetryAfter } from '../../../src/core/errors.ts';
import { done } from '../../../src/core/outcome.ts';
import { analyseLocally } from '../../../src/domains/calls/analysis/analyse-locally.ts';
import { ANALYSIS_VERSION, type CallAnalysis } from '../../../src/domains/calls/analysis/analysis.ts';
import type { analyze } from '../../../src/domains/calls/definitions/analyze.ts';
import type { Transcript } from '../../../src/domains/calls/transcript.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import { QuotaUsedUp } from '../../tools/speech/provider.ts';
import { callOfJob } from './call-of-job.ts';
import { MalformedSummary } from './chat-reader.ts';
import type { AnalyzeOwn } from './own.ts';
import { removeObsolete } from './remove-obsolete.ts';

type Context = HandlerContext<PayloadOf<typeof analyze>, AnalyzeOwn>;

/** The calls system's `analyze`: once for a call, its transcript and the version of the analysis. */
export const analyzeHandler: Handler<PayloadOf<typeof analyze>, AnalyzeOwn> = async (context) => {
  const { payload, own } = context;
  callOfJob(payload, context.subject);
  context.progress({ stage: 'analyze', percent: 0 });
  await removeObsolete(context, 'call_transcript');
  const hash = payload.transcript_hash;
  if ((await own.call.findAnalysis(hash, ANALYSIS_VERSION)) !== null) {
    context.log.info('An earlier run has analysed this transcript');
    return done({ transcriptHash: hash, version: ANALYSIS_VERSION });
  }
  const transcript = await own.call.findTranscript();
  if (transcript === null || transcript.hash !== hash)
    throw new PermanentError('TranscriptChanged', `There is no transcript ${hash} of this call`);
  const local = analyseLocally(transcript.turns, transcript.audioMs);
  context.progress({ stage: 'analyze', percent: 40 });
  const analysis: CallAnalysis = { ...local, ...(await summaryOf(context, transcript)) };
  await own.call.storeAnalysis(hash, ANALYSIS_VERSION, analysis);
  return done({ transcriptHash: hash, version: ANALYSIS_VERSION, cost: analysis.cost });
};

async function summaryOf(
  { own, signal }: Context,
  transcript: Transcript,
): Promise<Pick<CallAnalysis, 'summary' | 'cost'>> {
  if (own.chat === null || !transcript.hasText) return { summary: null, cost: null };
  try {
    return await own.chat.read(transcript, [], signal);
  } catch (error) {
    if (error instanceof MalformedSummary) await own.call.countSummary(error.cost);
    if (error instanceof QuotaUsedUp) throw new RetryAfter(error.retryAfterSeconds, error.message, error);
    throw error;
  }
}
