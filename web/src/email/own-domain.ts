import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { VerifiedDomainDocument } from './generated.ts';

/** Returns a domain that the workspace can send from, or undefined while loading. */
export function useOwnDomain(): string | undefined {
  const { workspace, can } = useViewer();
  const { data, refusal } = useGraphqlQuery(VerifiedDomainDocument, {});
  const local = `${workspace.slug}.localhost`;
  if (refusal || !can.has('sendingDomains')) return local;
  return data && (data.sendingDomains.nodes[0]?.name ?? local);
}
