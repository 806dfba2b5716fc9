import { useEffect, useState } from 'react';
import { runQuery } from '../../graphql/client.ts';
import { VersionConflict } from '../../shell/dialogs/version-conflict.tsx';
import { siteStrings } from '../strings.ts';
import type { PageMarkup } from './facts.ts';
import { SitePageMarkupDocument } from './generated.ts';

interface SitePageConflictProps {
  id: string;
  site: string;
  lang: string | undefined;
  onMine(version: number): void;
  onTheirs(markup: PageMarkup): void;
  onClose(): void;
}

export function SitePageConflict({ id, site, lang, ...actions }: SitePageConflictProps) {
  const [theirs, setTheirs] = useState<PageMarkup>();
  useEffect(() => {
    // Bypasses the cache, which may not contain the other user's change.
    void runQuery(SitePageMarkupDocument, { id, site, lang }).then((data) =>
      setTheirs(data.websitePageMarkup),
    );
  }, [id, site, lang]);
  return (
    <VersionConflict
      title={siteStrings.conflict}
      theirs={theirs}
      describe={({ version }) => siteStrings.conflictText(version)}
      {...actions}
    />
  );
}
