export { checkedUrl, type SubmitLinkDeps, writeLink } from './use-cases/submit-link.ts';
