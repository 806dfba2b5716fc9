import { formatCount, formatNumber } from '../../i18n/format.ts';
import type { CampaignPreviewQuery } from './generated.ts';
import { campaignStrings } from './strings.ts';

type RecipientsProps = Pick<CampaignPreviewQuery['campaignPreview'], 'unknownVariables' | 'recipients'>;

export const Recipients = ({
  unknownVariables,
  recipients: { subscribed, suppressed, isComplete },
}: RecipientsProps) => (
  <div className="campaign-recipients">
    {subscribed === 0 ? (
      <p className="wrong">{campaignStrings.noRecipients}</p>
    ) : (
      <p>
        <strong>{formatCount(subscribed - suppressed, campaignStrings.expectedRecipients)}</strong>{' '}
        {!isComplete && campaignStrings.countIncomplete(formatNumber(subscribed))}
      </p>
    )}
    {suppressed > 0 && <p className="quiet">{formatCount(suppressed, campaignStrings.suppressedCount)}</p>}
    {unknownVariables.length > 0 && (
      <p className="wrong">{campaignStrings.unknownVariables(unknownVariables.join(', '))}</p>
    )}
  </div>
);
