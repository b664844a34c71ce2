import type { ChoiceList } from '../choices/choice-lists.js'
import type { SurveyContext } from './context.js'
import { type FormNode, given } from './node.js'
import type { Parameters } from './parameters.js'

const defaults = { start: '1', end: '10', step: '1' } as const
const numberPattern = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/
const plainAppearances = new Set(['vertical', 'no-ticks'])

/** Compares decimals as integers of one common scale, since 0.1 + 0.2 is not 0.3 in binary. */
const scaler = (numbers: readonly string[]): ((text: string) => number) => {
  const decimals = Math.min(12, Math.max(...numbers.map((text) => (text.split('.')[1] ?? '').length)))
  return (text) => Math.round(Number(text) * 10 ** decimals)
}

const isMultiple = (value: number, of: number): boolean => of !== 0 && value % of === 0

/** Reads the parameters of a range question into attributes of its control and the type of its bind. */
export const readRange = (node: FormNode, parameters: Parameters, context: SurveyContext): void => {
  parameters.allow('A range', ['start', 'end', 'step', 'tick_interval', 'placeholder', 'tick_labelset'])
  const start = parameters.number('start') ?? defaults.start
  const end = parameters.number('end') ?? defaults.end
  const step = parameters.number('step') ?? defaults.step
  const interval = parameters.number('tick_interval')
  const placeholder = parameters.number('placeholder')
  const labels = parameters.get('tick_labelset')
  const numbers = [start, end, step, interval, placeholder].filter((one) => one !== undefined)
  for (const [name, value] of Object.entries({ start, end, step })) node.setControl(name, given(value))
  if (interval !== undefined) node.setControl('odk:tick-interval', given(interval))
  if (placeholder !== undefined) node.setControl('odk:placeholder', given(placeholder))
  if (numbers.some((text) => /\.\d*[1-9]/.test(text))) node.bind.set('type', given('decimal'))

  const scale = scaler(numbers)
  const grid = { start: scale(start), end: scale(end), step: scale(step) }
  checkGrid(grid, interval === undefined ? undefined : scale(interval), parameters)
  if (placeholder !== undefined && !isOn(scale(placeholder), grid, grid.step))
    parameters.report(
      'invalid-parameter',
      `The placeholder ${placeholder} must lie on a step between ${start} and ${end}.`,
    )
  checkAppearance(node, [interval, placeholder, labels], parameters)
  if (labels !== undefined) readLabels(node, labels, { start, end, interval: interval ?? step }, parameters, context)
}

interface Grid {
  start: number
  end: number
  step: number
}

const isOn = (value: number, { start, end }: Grid, step: number): boolean =>
  value >= Math.min(start, end) && value <= Math.max(start, end) && isMultiple(value - start, step)

const checkGrid = ({ start, end, step }: Grid, interval: number | undefined, parameters: Parameters): void => {
  for (const [name, value] of [
    ['step', step],
    ['tick_interval', interval],
  ] as const) {
    if (value === undefined) continue
    if (value === 0) parameters.report('invalid-parameter', `The parameter ${name} must not be 0.`)
    else if (Math.abs(value) > Math.abs(end - start))
      parameters.report('invalid-parameter', `The parameter ${name} is larger than the range from start to end.`)
  }
  if (interval !== undefined && step !== 0 && !isMultiple(interval, step))
    parameters.report('invalid-parameter', 'The tick_interval must be a multiple of the step.')
}

const checkAppearance = (node: FormNode, used: (string | undefined)[], parameters: Parameters): void => {
  const words = (node.control.get('appearance')?.text ?? '').split(' ').filter((word) => word !== '')
  if (used.some((one) => one !== undefined) && !words.every((word) => plainAppearances.has(word)))
    parameters.report(
      'invalid-parameter',
      'tick_interval, placeholder and tick_labelset work only without an appearance, or with vertical and no-ticks.',
    )
}

const readLabels = (
  node: FormNode,
  listName: string,
  range: { start: string; end: string; interval: string },
  parameters: Parameters,
  context: SurveyContext,
): void => {
  const list = context.lists.get(listName)
  const source = parameters.source ?? given(listName)
  if (list === undefined) {
    parameters.report('unknown-list', `The tick_labelset '${listName}' is not a list on the choices sheet.`)
    return
  }
  list.isRead = true
  node.select = {
    kind: 'list',
    list: listName,
    valueRef: 'name',
    labelRef: 'label',
    hasSearch: false,
    isRandomized: false,
    seed: null,
    source,
  }
  if (node.choiceFilter !== null)
    context.warnings.add(
      'filter-ignored',
      'A range labels its ticks with the whole list. The choice_filter is left out.',
      { ...node.choiceFilter, value: node.choiceFilter.text },
    )
  checkLabels(list, node, range, parameters, context)
}

const checkLabels = (
  list: ChoiceList,
  node: FormNode,
  range: { start: string; end: string; interval: string },
  parameters: Parameters,
  context: SurveyContext,
): void => {
  const hasNoTicks = /\bno-ticks\b/.test(node.control.get('appearance')?.text ?? '')
  const scale = scaler([range.start, range.end, range.interval, ...list.names])
  const grid = { start: scale(range.start), end: scale(range.end), step: scale(range.interval) }
  const isLabelled = (value: number): boolean =>
    hasNoTicks ? value === grid.start || value === grid.end : isOn(value, grid, grid.step)
  for (const { name, row } of list.choices) {
    if (numberPattern.test(name) && isLabelled(scale(name))) continue
    const message = hasNoTicks
      ? `With no-ticks the list '${list.name}' may only label ${range.start} and ${range.end}, not '${name}'.`
      : `The label '${name}' must be a number on a tick between ${range.start} and ${range.end}.`
    context.problems.add('invalid-tick-label', message, { sheet: 'choices', row, column: 'name', value: name })
  }
  if (hasNoTicks && list.names.size !== 2)
    parameters.report(
      'invalid-parameter',
      `With no-ticks the tick_labelset '${list.name}' must label start and end, both.`,
    )
}
