import type { NamedRecord } from '../document.ts';
import type { ModelDescription } from '../model.ts';

export interface RecordMessage {
  id: string;
  date: string;
  body: string | null;
  author: NamedRecord | null;
  emailFrom: string | null;
  isInternal: boolean;
  attachments: { nodes: { id: string; name: string }[] };
}

export interface Activity {
  id: string;
  summary: string | null;
  dateDeadline: string;
  state: 'OVERDUE' | 'TODAY' | 'PLANNED' | 'DONE' | null;
  activityType: NamedRecord | null;
  user: NamedRecord | null;
}

export interface Follower {
  id: string;
  partnerId: string;
  partner: NamedRecord | null;
}

export interface DiscussionResult {
  record: {
    id: string;
    messageFollowers?: { nodes: Follower[] };
    messages?: { totalCount: number; nodes: RecordMessage[] };
    activities?: { nodes: Activity[] };
  } | null;
}

const DISCUSSION_PARTS: Record<string, string> = {
  'mail.message':
    'messages(first: $first, orderBy: [{ field: ID, direction: DESC }]) { totalCount nodes { id date body ' +
    'emailFrom isInternal author { id displayName } attachments(first: 20) { nodes { id name } } } }',
  'mail.activity':
    'activities(first: 50, orderBy: [{ field: DATE_DEADLINE }]) { nodes { id summary dateDeadline state ' +
    'activityType { id displayName } user { id displayName } } }',
  'mail.followers': 'messageFollowers(first: 200) { nodes { id partnerId partner { id displayName } } }',
};

const DISCUSSION_FIELDS = new Set(['messages', 'activities', 'messageFollowers']);

/**
 * Builds the query for a record's messages, activities and followers. Returns null if the model supports no discussion.
 */
export function buildDiscussionQuery({ queryField, fields }: ModelDescription): string | null {
  const parts = fields.flatMap(({ relation, relationName }) =>
    relationName !== null && DISCUSSION_FIELDS.has(relationName)
      ? (DISCUSSION_PARTS[relation ?? ''] ?? [])
      : [],
  );
  if (!queryField || parts.length === 0) return null;
  const first = parts.some((part) => part.includes('$first')) ? ', $first: Int!' : '';
  return `query Discussion($id: ID!${first}) { record: ${queryField}(id: $id) { id ${parts.join(' ')} } }`;
}
