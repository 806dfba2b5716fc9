import { useState } from 'react';
import { runQuery } from '../graphql/client.ts';
import { useFormAction } from '../shell/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/form/field.tsx';
import { Form, getText } from '../ui/form/form.tsx';
import { SiteLeadsDocument } from './generated.ts';
import type { Site } from './site-screen.tsx';
import { siteStrings } from './strings.ts';

export function SiteRedirectTest({ site }: { site: Site }) {
  const { isBusy, refusal, act } = useFormAction();
  const [result, setResult] = useState<string>();
  const test = (form: FormData) =>
    act(async () => {
      const path = `/${getText(form, 'path').replace(/^\/+/, '')}`;
      const { websiteVisit } = await runQuery(SiteLeadsDocument, {
        site: site.id,
        root: location.origin,
        path,
      });
      setResult(describeVisit(path, websiteVisit));
    });
  return (
    <Form className="card site-card" onSubmit={test}>
      <h2>{siteStrings.test}</h2>
      <div className="site-try">
        <Field
          name="path"
          label={siteStrings.testPath}
          required
          dir="ltr"
          placeholder={siteStrings.testHint}
          autoCapitalize="none"
          spellCheck={false}
          error={refusal?.message}
        />
        <Button type="submit" isBusy={isBusy}>
          {siteStrings.runTest}
        </Button>
      </div>
      <p role="status">{result}</p>
    </Form>
  );
}

type Visit = { status: number; location: string | null } | null;

function describeVisit(path: string, visit: Visit): string {
  if (visit?.location) return siteStrings.redirectsTo(path, visit.location, visit.status);
  if (visit?.status === 200) return siteStrings.showsPage(path);
  return visit?.status === 403 ? siteStrings.pageDenied(path) : siteStrings.showsNothing(path);
}
