import { StatusBadge, type StatusTone } from '../../../ui/status-badge.tsx';
import { adminStrings } from '../strings.ts';
import type { UserFactsFragment } from './generated.ts';

function getUserKind({ active, isSvcAgent, role, share }: UserFactsFragment): keyof typeof TONES {
  if (!active) return 'archived';
  if (isSvcAgent) return 'service';
  if (share) return 'portal';
  return role === 'GROUP_SYSTEM' ? 'administrator' : 'user';
}

const TONES = {
  archived: 'plain',
  service: 'waiting',
  portal: 'plain',
  administrator: 'good',
  user: 'good',
} as const satisfies Record<string, StatusTone>;

export function UserBadge({ user }: { user: UserFactsFragment }) {
  const kind = getUserKind(user);
  return <StatusBadge tone={TONES[kind]}>{adminStrings.kinds[kind]}</StatusBadge>;
}
