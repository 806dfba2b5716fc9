import './held-action.css';
import type { ReactNode } from 'react';
import { language } from '../../i18n/language.ts';
import { Facts } from '../../ui/layout/facts.tsx';
import { useGraphqlQuery } from '../use-graphql-query.ts';
import { HeldModelDocument } from './generated.ts';
import { type HeldMessage, readHeldFacts } from './held-facts.ts';
import type { PreviewNode, PreviewPart } from './preview-tree.ts';
import { heldStrings } from './strings.ts';

interface PreviewedAction {
  tool: string;
  preview: string;
  /** Null for an action of an earlier version, which has only a text. */
  parts: PreviewPart[] | null;
}

/** Shows a person what a held action would do. */
export const HeldDetails = ({ action: { tool, preview, parts } }: { action: PreviewedAction }) =>
  parts ? <PreviewDetails tool={tool} parts={parts} /> : <pre className="held-text sunk">{preview}</pre>;

function PreviewDetails({ tool, parts }: { tool: string; parts: PreviewPart[] }) {
  const { message, model, records, values, others } = readHeldFacts(tool, parts);
  const { data } = useGraphqlQuery(HeldModelDocument, { model: model ?? '', lang: language }, !model);
  const description = model ? data?.modelDescribe : undefined;
  return (
    <div className="held-details">
      {message && <MessageDetails message={message} />}
      <Facts
        facts={[
          [
            heldStrings.recordsOf(description?.pluralLabel ?? model ?? ''),
            records.length > 0 && <Texts texts={records} />,
          ],
          ...values.map((node) => [getName(node), renderNode(node) || heldStrings.empty] as const),
          ...others.map(
            (node) =>
              [
                getName(node),
                node.name === 'model' && description ? description.label : renderNode(node),
              ] as const,
          ),
        ]}
      />
    </div>
  );
}

const MessageDetails = ({ message }: { message: HeldMessage }) => (
  <>
    <Facts
      facts={[
        [heldStrings.problem, message.problem],
        [heldStrings.from, message.from],
        [heldStrings.to, renderTexts(message.to)],
        [heldStrings.cc, renderTexts(message.cc)],
        [heldStrings.bcc, renderTexts(message.bcc)],
        [heldStrings.newRecipients, renderTexts(message.newRecipients)],
        [heldStrings.subject, message.subject],
        [heldStrings.attachments, renderTexts(message.attachments)],
      ]}
    />
    <p className="held-text sunk" dir="auto">
      {message.text}
    </p>
    {message.html && (
      <details>
        <summary>{heldStrings.htmlSource}</summary>
        <pre className="sunk">{message.html}</pre>
      </details>
    )}
  </>
);

const Texts = ({ texts }: { texts: readonly string[] }) => (
  <ul>
    {texts.map((text, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: texts can repeat, and the list does not change
      <li key={index}>
        <bdi>{text}</bdi>
      </li>
    ))}
  </ul>
);

const renderTexts = (texts: readonly string[]): ReactNode => texts.length > 0 && <Texts texts={texts} />;

function renderNode(node: PreviewNode): ReactNode {
  const { change, value, values, children } = node;
  if (change)
    return (
      <>
        {heldStrings.changes[change]}
        {renderTexts(values)}
        {renderFacts(children)}
      </>
    );
  if (children.length === 0) return value ? <span className="held-text">{value}</span> : renderTexts(values);
  if (children.every(({ name }) => name !== '')) return renderFacts(children);
  return (
    <ul>
      {children.map((child, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no id, and the list does not change
        <li key={index}>{renderNode(child)}</li>
      ))}
    </ul>
  );
}

const renderFacts = (nodes: PreviewNode[]): ReactNode => (
  <Facts facts={nodes.map((node) => [getName(node), renderNode(node)])} />
);

const getName = ({ name, label }: PreviewNode): string => label ?? heldStrings.names[name] ?? name;
