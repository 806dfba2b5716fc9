import { formatNumber, formatShare } from '../../i18n/format.ts';
import { emailStrings } from '../strings.ts';
import type { CampaignView } from './address.ts';
import type { CampaignFactsFragment } from './generated.ts';
import { RecipientList } from './recipient-list.tsx';
import { campaignStrings } from './strings.ts';

/** Numbers shown as a share of sent emails, because relays do not report deliveries. */
const SHARE_KINDS = ['delivered', 'bounced', 'opened', 'clicked', 'complained', 'unsubscribed'] as const;
const KINDS = ['total', 'sent', ...SHARE_KINDS] as const;

interface CampaignResultsProps {
  campaign: CampaignFactsFragment;
  view: CampaignView;
  show(changes: CampaignView): void;
}

export const CampaignResults = ({ campaign, view, show }: CampaignResultsProps) => (
  <>
    {campaign.sent === 0 && <p>{campaignStrings.notSent}</p>}
    <dl className="tiles">
      {KINDS.map((kind) => (
        <div key={kind} className="card">
          <dt>{kind === 'total' ? campaignStrings.contacts : emailStrings.emailEvents[kind]}</dt>
          <dd className="figures">{formatNumber(campaign[kind])}</dd>
          {kind !== 'total' && kind !== 'sent' && <Share part={campaign[kind]} sent={campaign.sent} />}
        </div>
      ))}
    </dl>
    <p className="quiet small">{campaignStrings.tracking}</p>
    {campaign.total > 0 && <RecipientList id={campaign.id} view={view} show={show} />}
  </>
);

const Share = ({ part, sent }: { part: number; sent: number }) =>
  sent > 0 && (
    <dd className="quiet small">
      {emailStrings.share(formatShare(part / sent), formatNumber(part), formatNumber(sent))}
    </dd>
  );
