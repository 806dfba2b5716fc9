import { VersionConflict } from '../../shell/dialogs/version-conflict.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { CampaignDocument, type CampaignFactsFragment } from './generated.ts';
import { campaignStrings } from './strings.ts';

interface CampaignConflictProps {
  id: string;
  onMine(version: number): void;
  onTheirs(campaign: CampaignFactsFragment): void;
  onClose(): void;
}

export function CampaignConflict({ id, ...actions }: CampaignConflictProps) {
  const { data } = useGraphqlQuery(CampaignDocument, { id });
  return (
    <VersionConflict
      title={campaignStrings.conflict}
      theirs={data?.campaign ?? undefined}
      describe={() => campaignStrings.conflictText}
      {...actions}
    />
  );
}
