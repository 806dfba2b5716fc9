import { ConflictDialog } from '../../shell/dialogs/conflict.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { CampaignDocument, type CampaignFactsFragment } from './generated.ts';
import { campaignStrings } from './strings.ts';

interface CampaignConflictProps {
  id: string;
  onMine(version: number): void;
  onTheirs(campaign: CampaignFactsFragment): void;
  onClose(): void;
}

export function CampaignConflict({ id, onMine, onTheirs, onClose }: CampaignConflictProps) {
  const { data } = useGraphqlQuery(CampaignDocument, { id });
  const theirs = data?.campaign;
  return (
    <ConflictDialog
      title={campaignStrings.conflict}
      text={theirs ? campaignStrings.conflictText : undefined}
      onMine={() => onMine(theirs!.version)}
      onTheirs={() => onTheirs(theirs!)}
      onClose={onClose}
    />
  );
}
