import type { CampaignProblem } from './generated.ts';

/** Reasons to change a campaign before it is sent: problems found by the server, and remaining sample text. */
export type ReviewProblem = CampaignProblem | 'SAMPLE_TEXT' | 'SAMPLE_SUBJECT';

interface CampaignTexts {
  subject: string;
  html?: string | null;
}

export function findSampleText(
  { subject, html }: CampaignTexts,
  samples: readonly { subject: string; text: string }[],
): ReviewProblem[] {
  return [
    ...(samples.some((sample) => html?.includes(sample.text)) ? (['SAMPLE_TEXT'] as const) : []),
    ...(samples.some((sample) => sample.subject === subject.trim()) ? (['SAMPLE_SUBJECT'] as const) : []),
  ];
}

const BLOCKING_PROBLEMS: readonly ReviewProblem[] = ['UNVERIFIED_DOMAIN', 'UNREACHABLE_LINKS'];

/** True if the problem prevents sending. The user can ignore the others. */
export const isBlocking = (problem: ReviewProblem): boolean => BLOCKING_PROBLEMS.includes(problem);
