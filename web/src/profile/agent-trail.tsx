import { useState } from 'react';
import { formatCount } from '../i18n/format.ts';
import { DialogButtons } from '../shell/dialogs/dialog-buttons.tsx';
import { LoadError } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import { AgentTrailDocument, type AgentTrailQuery } from './generated.ts';
import { profileStrings } from './strings.ts';

/** The server's page size limit. */
const PAGE_SIZE = 50;

export function AgentTrail({ agent, name, onClose }: { agent: string; name: string; onClose(): void }) {
  // Start cursors of the loaded pages.
  const [pages, setPages] = useState<(string | null)[]>([null]);
  return (
    <Dialog title={profileStrings.trailTitle(name)} onClose={onClose}>
      {pages.map((before, index) => (
        <TrailPage
          key={before}
          agent={agent}
          before={before}
          onMore={index === pages.length - 1 ? (last) => setPages([...pages, last]) : undefined}
        />
      ))}
      <DialogButtons onClose={onClose} />
    </Dialog>
  );
}

interface TrailPageProps {
  agent: string;
  before: string | null;
  /** Loads older entries. Set only for the last page. */
  onMore?: (last: string) => void;
}

function TrailPage({ agent, before, onMore }: TrailPageProps) {
  const { data, refusal, reload } = useGraphqlQuery(AgentTrailDocument, { agent, before });
  const calls = data?.agentCalls ?? [];
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  return (
    <>
      {data && calls.length === 0 && before === null && <p className="quiet">{profileStrings.noCalls}</p>}
      <ul className="item-rows">
        {calls.map((call) => (
          <TrailRow key={call.id} call={call} />
        ))}
      </ul>
      {onMore && calls.length === PAGE_SIZE && (
        <Button onClick={() => onMore(calls.at(-1)!.id)}>{profileStrings.showOlderCalls}</Button>
      )}
    </>
  );
}

function TrailRow({ call }: { call: AgentTrailQuery['agentCalls'][number] }) {
  const { at, tool, modelName, outcome, error, summary, recordCount } = call;
  const outcomes: Record<string, string> = profileStrings.outcomes;
  return (
    <li>
      <div>
        <code>{tool}</code> {modelName && <span className="quiet">{modelName}</span>}
        <p className="quiet small">
          <Timestamp at={at} />
          {outcome && ` · ${outcomes[outcome] ?? outcome}`}
          {recordCount > 0 && ` · ${formatCount(recordCount, profileStrings.recordCount)}`}
        </p>
        {summary && <p className="small">{summary}</p>}
        {error && <p className="small">{error}</p>}
      </div>
    </li>
  );
}
