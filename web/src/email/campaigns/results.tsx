import { formatNumber, formatShare } from '../../i18n/format.ts';
import type { CampaignFactsFragment } from './generated.ts';
import { campaignWords } from './words.ts';

/** What the share of a figure is of. */
const WHOLES = {
  delivered: 'sent',
  bounced: 'sent',
  opened: 'delivered',
  clicked: 'delivered',
  complained: 'delivered',
  unsubscribed: 'delivered',
} as const;

const KINDS = ['total', 'sent', ...(Object.keys(WHOLES) as (keyof typeof WHOLES)[])] as const;

/** What became of a campaign's emails; the figures change while they are looked at. */
export const Results = ({ campaign }: { campaign: CampaignFactsFragment }) => (
  <>
    {campaign.sent === 0 && <p>{campaignWords.notSent}</p>}
    <dl className="campaign-results">
      {KINDS.map((kind) => (
        <div key={kind} className="card">
          <dt>{campaignWords.results[kind]}</dt>
          <dd className="figures">{formatNumber(campaign[kind])}</dd>
          {kind in WHOLES && <Share campaign={campaign} kind={kind as keyof typeof WHOLES} />}
        </div>
      ))}
    </dl>
    <p className="quiet small">{campaignWords.tracking}</p>
  </>
);

function Share({ campaign, kind }: { campaign: CampaignFactsFragment; kind: keyof typeof WHOLES }) {
  const of = WHOLES[kind];
  const whole = campaign[of];
  if (whole === 0) return null;
  const part = campaign[kind];
  const name = of === 'sent' ? campaignWords.ofSent : campaignWords.ofDelivered;
  return (
    <dd className="quiet small">
      {campaignWords.share(formatShare(part / whole), formatNumber(part), formatNumber(whole), name)}
    </dd>
  );
}
