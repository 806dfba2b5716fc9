import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { VerifiedDomainDocument } from './generated.ts';

/** A domain that the workspace may send from, for examples; undefined until it is known. */
export function useOwnDomain(): string | undefined {
  const { workspace, can } = useViewer();
  const { data, refusal } = useGraphqlQuery(VerifiedDomainDocument, {});
  const local = `${workspace.slug}.localhost`;
  if (refusal || !can.has('sendingDomains')) return local;
  return data && (data.sendingDomains.nodes[0]?.name ?? local);
}
