import { formatCount, formatNumber } from '../../../i18n/format.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { adminWords } from '../words.ts';
import { SeatsDocument } from './generated.ts';

/** How many users the workspace may still have. */
export function Seats() {
  const { data } = useGraphqlQuery(SeatsDocument, {});
  if (!data) return null;
  const { used, limit, serviceAccounts, invited } = data.workspaceSeats;
  const parts = [
    limit === null
      ? formatCount(used, adminWords.seatsUsed)
      : adminWords.seatsOf(
          formatNumber(used),
          formatNumber(limit),
          formatNumber(Math.max(0, limit - used - invited)),
        ),
    invited > 0 && formatCount(invited, adminWords.seatsInvited),
    serviceAccounts > 0 && formatCount(serviceAccounts, adminWords.seatless),
  ];
  return <span>{parts.filter(Boolean).join(' · ')}</span>;
}
