import { flag, integer, optionalText, text } from './settings.ts';

const HTTP_RULE = /^https?:\/\/\S+$/;
const MODEL_RULE = /^\S{1,200}$/;

/** How links are scraped and enriched. */
export const LINKS_SETTINGS = {
  aiUrl: optionalText(
    'MILLRACE_AI_URL',
    'OpenAI-compatible endpoint for summaries and embeddings of links, such as https://api.openai.com/v1; without it both are made offline. See links.md.',
    HTTP_RULE,
    'an http:// or https:// URL',
  ),
  aiKey: optionalText('MILLRACE_AI_KEY', 'Key of that endpoint.', /^\S+$/, 'text without spaces', true),
  aiChatModel: text(
    'MILLRACE_AI_CHAT_MODEL',
    'Model that sums up.',
    'gpt-4o-mini',
    MODEL_RULE,
    'the name of a model',
  ),
  aiEmbeddingModel: text(
    'MILLRACE_AI_EMBEDDING_MODEL',
    'Model that embeds. Links are found by meaning among those of the same model.',
    'text-embedding-3-small',
    MODEL_RULE,
    'the name of a model',
  ),
  scrapeApiUrl: optionalText(
    'MILLRACE_SCRAPE_API_URL',
    'Service in the style of ScrapeCreators for videos of YouTube, TikTok and Instagram, such as https://api.scrapecreators.com; without it their pages are read.',
    HTTP_RULE,
    'an http:// or https:// URL',
  ),
  scrapeApiKey: optionalText(
    'MILLRACE_SCRAPE_API_KEY',
    'Key of that service.',
    /^\S+$/,
    'text without spaces',
    true,
  ),
  linkHostDelayMs: integer(
    'MILLRACE_LINK_HOST_DELAY_MS',
    'Least time between two requests to one host, by all workers together; a longer Crawl-delay of its robots.txt counts.',
    1_000,
    0,
    600_000,
  ),
  linkRobots: flag('MILLRACE_LINK_ROBOTS', 'Whether robots.txt is read and respected.', true),
} as const;
