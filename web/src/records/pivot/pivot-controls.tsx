import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Tick } from '../../ui/field.tsx';
import type { ListProps } from '../address.ts';
import { type Described, keyOf } from '../model.ts';
import { viewWords } from '../view-words.ts';
import { CHARTS, FIGURES, ROWS } from '../views.ts';
import { type Dimension, dimensionFields, dimensionOf, PERIODS } from './dimension.ts';
import { figuresOf } from './figures.ts';
import { figureLabel } from './pivot-grid.tsx';
import type { PivotShape } from './table.ts';

interface PivotControlsProps extends ListProps {
  shape: PivotShape;
}

/** What a pivot is made of. */
export function PivotControls({ model, shape, view, show }: PivotControlsProps) {
  const [isChoosing, setChoosing] = useState(false);
  const { rows, across } = shape;
  const setRow = (at: number, key: string | undefined) => {
    const keys = rows.map((row) => row.key);
    show({
      rows: key ? [...keys.slice(0, at), key, ...keys.slice(at + 1)] : keys.toSpliced(at, 1),
      sort: undefined,
    });
  };
  return (
    <div className="pivot-controls">
      {[...rows, ...(rows.length < ROWS ? [null] : [])].map((row, at) => (
        <DimensionChoice
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their place
          key={at}
          model={model}
          label={at === 0 ? viewWords.rows : viewWords.within}
          value={row}
          isNeeded={at === 0}
          onChoose={(key) => setRow(at, key)}
        />
      ))}
      <DimensionChoice
        model={model}
        label={viewWords.across}
        value={across}
        isNeeded={false}
        onChoose={(key) => show({ across: key, sort: undefined })}
      />
      <Choice
        label={viewWords.chart}
        value={view.chart ?? 'bars'}
        options={CHARTS.map((look) => [look, viewWords.charts[look]] as const)}
        onChange={({ target }) => show({ chart: CHARTS.find((look) => look === target.value) })}
      />
      <Button icon="numbers" onClick={() => setChoosing(true)}>
        {viewWords.figures}
      </Button>
      {isChoosing && (
        <FigureChoice
          model={model}
          chosen={shape.figures.map(({ key }) => key)}
          onChoose={(figures) => {
            setChoosing(false);
            show({ figures, sort: undefined });
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

interface DimensionChoiceProps {
  model: Described;
  label: string;
  value: Dimension | null;
  isNeeded: boolean;
  onChoose(key: string | undefined): void;
}

function DimensionChoice({ model, label, value, isNeeded, onChoose }: DimensionChoiceProps) {
  const key = value && keyOf(value.field)!;
  const fields = dimensionFields(model).map((field) => [keyOf(field)!, field.label] as const);
  return (
    <>
      <Choice
        label={label}
        value={key ?? ''}
        options={isNeeded ? fields : [['', viewWords.noField], ...fields]}
        onChange={({ target }) => onChoose(dimensionOf(model, target.value)?.key)}
      />
      {value?.by && (
        <Choice
          label={viewWords.period(value.field.label)}
          value={value.by}
          options={PERIODS.map((period) => [period, viewWords.periods[period]] as const)}
          onChange={({ target }) => onChoose(`${key}.${target.value}`)}
        />
      )}
    </>
  );
}

interface FigureChoiceProps {
  model: Described;
  chosen: string[];
  onChoose(figures: string[] | undefined): void;
  onClose(): void;
}

function FigureChoice({ model, chosen, onChoose, onClose }: FigureChoiceProps) {
  const [keys, setKeys] = useState(chosen);
  return (
    <Dialog title={viewWords.figures} onClose={onClose}>
      <p className="quiet">{viewWords.figuresText}</p>
      <div className="pivot-figures">
        {figuresOf(model).map((figure) => (
          <Tick
            key={figure.key}
            label={figureLabel(figure)}
            checked={keys.includes(figure.key)}
            disabled={keys.length >= FIGURES && !keys.includes(figure.key)}
            onChange={({ target }) =>
              setKeys(target.checked ? [...keys, figure.key] : keys.filter((key) => key !== figure.key))
            }
          />
        ))}
      </div>
      <div className="buttons">
        <Button look="primary" onClick={() => onChoose(keys.length > 0 ? keys : undefined)}>
          {viewWords.show}
        </Button>
        <Button onClick={onClose}>{viewWords.cancel}</Button>
      </div>
    </Dialog>
  );
}
