import { formatCount, formatNumber } from '../../i18n/format.ts';
import type { CampaignPreviewQuery } from './generated.ts';
import { campaignWords } from './words.ts';

type RecipientsProps = Pick<CampaignPreviewQuery['campaignPreview'], 'unknownVariables' | 'recipients'>;

/** How many contacts get a campaign, and what keeps it from being sent. */
export const Recipients = ({
  unknownVariables,
  recipients: { subscribed, suppressed, isComplete },
}: RecipientsProps) => (
  <div className="campaign-recipients">
    {subscribed === 0 ? (
      <p className="campaign-wrong">{campaignWords.noRecipients}</p>
    ) : (
      <p>
        <strong>{formatCount(subscribed - suppressed, campaignWords.recipients)}</strong>{' '}
        {!isComplete && campaignWords.atLeast(formatNumber(subscribed))}
      </p>
    )}
    {suppressed > 0 && <p className="quiet">{formatCount(suppressed, campaignWords.suppressed)}</p>}
    {unknownVariables.length > 0 && (
      <p className="campaign-wrong">{campaignWords.unknown(unknownVariables.join(', '))}</p>
    )}
  </div>
);
