import { formatCount, formatNumber } from '../../../i18n/format.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { adminStrings } from '../strings.ts';
import { SeatsDocument } from './generated.ts';

export function Seats() {
  const { data } = useGraphqlQuery(SeatsDocument, {});
  if (!data) return null;
  const { used, limit, serviceAccounts, invited } = data.workspaceSeats;
  const parts = [
    limit === null
      ? formatCount(used, adminStrings.seatsUsed)
      : adminStrings.seatUsage(
          formatNumber(used),
          formatNumber(limit),
          formatNumber(Math.max(0, limit - used - invited)),
        ),
    invited > 0 && formatCount(invited, adminStrings.seatsInvited),
    serviceAccounts > 0 && formatCount(serviceAccounts, adminStrings.accountsWithoutSeat),
  ];
  return <span>{parts.filter(Boolean).join(' · ')}</span>;
}
