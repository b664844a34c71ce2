import { describe, expect, it } from 'vitest'
import { bindOf, controlOf, form } from './support/compile.js'

type Kind = 'group' | 'repeat'

interface Step {
  name: string
  kind: Kind | 'question'
}

/** Containers around both, then around the source only and around the target only; outermost first. */
interface Topology {
  common: Kind[]
  source: Kind[]
  target: Kind[]
}

const maxDepth = 3
const kinds: Kind[] = ['group', 'repeat']

const chains = (length: number): Kind[][] =>
  length === 0 ? [[]] : chains(length - 1).flatMap((chain) => kinds.map((kind) => [...chain, kind]))

const upTo = (length: number): Kind[][] => Array.from({ length: length + 1 }, (_, index) => chains(index)).flat()

const topologies: Topology[] = upTo(maxDepth).flatMap((common) =>
  upTo(maxDepth - common.length).flatMap((source) =>
    upTo(maxDepth - common.length).map((target) => ({ common, source, target })),
  ),
)

const steps = (prefix: string, chain: Kind[]): Step[] =>
  chain.map((kind, index) => ({ name: `${prefix}${index}`, kind }))

// The resolver to compare with works on lists of steps and restates the rules one by one, without any cleverness.

const root: Step = { name: 'data', kind: 'group' }

const commonAncestors = (source: Step[], target: Step[]): Step[] => {
  const ancestorsOfSource = [root, ...source.slice(0, -1)]
  const ancestorsOfTarget = [root, ...target.slice(0, -1)]
  const common: Step[] = []
  for (const [index, step] of ancestorsOfSource.entries()) {
    if (ancestorsOfTarget[index]?.name !== step.name) break
    common.push(step)
  }
  return common
}

const names = (list: Step[]): string => list.map(({ name }) => name).join('/')

const climbFrom = (source: Step[], target: Step[], ancestorCount: number): string => {
  const wholeSource = [root, ...source]
  const wholeTarget = [root, ...target]
  const ups = Array.from({ length: wholeSource.length - ancestorCount }, () => '..')
  return [...ups, names(wholeTarget.slice(ancestorCount))].join('/')
}

const expectedPath = (source: Step[], target: Step[]): string => {
  const common = commonAncestors(source, target)
  if (!common.some(({ kind }) => kind === 'repeat')) return `/data/${names(target)}`
  return climbFrom(source, target, common.length)
}

const expectedAnswers = (source: Step[], target: Step[]): string => {
  const common = commonAncestors(source, target)
  const lowestCommonRepeat = common.findLastIndex(({ kind }) => kind === 'repeat')
  const nearestRepeatOfTarget = [root, ...target.slice(0, -1)].findLastIndex(({ kind }) => kind === 'repeat')
  // Leave the repeat: climb to what is around it and enter it again by name.
  if (lowestCommonRepeat !== -1 && lowestCommonRepeat === nearestRepeatOfTarget)
    return climbFrom(source, target, lowestCommonRepeat)
  return expectedPath(source, target)
}

const inFilter = (path: string): string => (path.startsWith('/') ? path : `current()/${path}`)

// One form per topology holds every place that a reference can stand in.

const begin = ({ name, kind }: Step): string => `| | begin ${kind} | ${name} | ${name} | | | |`
const end = ({ kind }: Step): string => `| | end ${kind} | | | | | |`

const surveyFor = ({
  common,
  source,
  target,
}: Topology): { markdown: string; sourceSteps: Step[]; targetSteps: Step[] } => {
  const around = steps('c', common)
  const aroundSource = steps('s', source)
  const aroundTarget = steps('t', target)
  const targetSteps: Step[] = [...around, ...aroundTarget, { name: 'target', kind: 'question' }]
  const repeat = targetSteps.find(({ kind }) => kind === 'repeat')?.name
  const above = [...around, ...aroundTarget].map(({ name }) => `\${${name}}`).join(' | ')
  const rows = [
    '| survey |',
    '| | type | name | label | calculation | choice_filter | relevant |',
    ...around.map(begin),
    ...aroundTarget.map(begin),
    '| | text | target | Target | | | |',
    ...aroundTarget.toReversed().map(end),
    ...aroundSource.map(begin),
    '| | calculate | plain | | ${target} | | |',
    '| | text | asked | Label ${target} | | | ${target} = 1 |',
    "| | calculate | looked_up | | instance('l')/root/item[name = ${target}]/label | | |",
    '| | select_one l | filtered | F | | name = ${target} | |',
    '| | select_one ${target} | answers | A | | | |',
    above === '' ? '' : `| | calculate | containers | | ${above.replaceAll('|', '\\|')} | | |`,
    repeat === undefined
      ? ''
      : `| | calculate | indexed | | indexed-repeat(\${target}, \${${repeat}}, number(\${target})) | | |`,
    ...aroundSource.toReversed().map(end),
    ...around.toReversed().map(end),
    '| choices |',
    '| | list_name | name | label |',
    '| | l | a | A |',
  ]
  return {
    markdown: rows.filter((row) => row !== '').join('\n'),
    sourceSteps: [...around, ...aroundSource],
    targetSteps,
  }
}

const describeTopology = ({ common, source, target }: Topology): string =>
  [common, source, target].map((chain) => chain.map((kind) => kind[0]).join('') || '-').join(' ')

describe('references in every nesting of groups and repeats', () => {
  it('covers every nesting of up to three containers', () => {
    expect(topologies).toHaveLength(225 + 98 + 36 + 8)
  })

  it.each(topologies.map((topology): [string, Topology] => [describeTopology(topology), topology]))(
    'around both, the source, the target: %s',
    (_, topology) => {
      const { markdown, sourceSteps, targetSteps } = surveyFor(topology)
      const { xform } = form(markdown)
      const at = (name: string): Step[] => [...sourceSteps, { name, kind: 'question' }]
      const pathOf = (name: string): string => `/data/${names(at(name))}`
      const path = expectedPath(at('plain'), targetSteps)

      expect(bindOf(xform, pathOf('plain'))).toContain(` calculate=" ${path} "`)
      expect(bindOf(xform, pathOf('asked'))).toContain(` relevant=" ${path}  = 1"`)
      expect(controlOf(xform, pathOf('asked'))).toContain(`<output value=" ${path} "/>`)
      expect(bindOf(xform, pathOf('looked_up'))).toContain(`[name =  ${inFilter(path)} ]/label`)
      expect(controlOf(xform, pathOf('filtered'))).toContain(`item[name =  ${inFilter(path)} ]"`)

      const answers = expectedAnswers(at('answers'), targetSteps)
      const nodeset = answers.slice(0, answers.lastIndexOf('/'))
      expect(controlOf(xform, pathOf('answers'))).toContain(
        `nodeset="${nodeset}[./target != '']"><value ref="target"/>`,
      )

      const containers = targetSteps.slice(0, -1).map((_step, index) => targetSteps.slice(0, index + 1))
      if (containers.length > 0)
        expect(bindOf(xform, pathOf('containers'))).toContain(
          ` calculate="${containers.map((container) => ` ${expectedPath(at('containers'), container)} `).join(' | ')}"`,
        )
      const repeat = containers.find((container) => container.at(-1)?.kind === 'repeat')
      if (repeat !== undefined)
        expect(bindOf(xform, pathOf('indexed'))).toContain(
          `indexed-repeat( /data/${names(targetSteps)} ,  /data/${names(repeat)} , number( ${path} ))`,
        )
    },
  )
})

describe('references of containers themselves', () => {
  const counted = (outer: Kind[]): { xform: string; path: string; reference: string } => {
    const around = steps('c', outer)
    const { xform } = form(
      [
        '| survey |',
        '| | type | name | label | repeat_count | relevant |',
        ...around.map(({ name, kind }) => `| | begin ${kind} | ${name} | X | | |`),
        '| | integer | n | N | | |',
        '| | begin repeat | r | R | ${n} | ${n} > 0 |',
        '| | text | q | Q | | |',
        '| | end repeat | | | | |',
        ...around.toReversed().map(({ kind }) => `| | end ${kind} | | | | |`),
      ].join('\n'),
    )
    const repeat: Step[] = [...around, { name: 'r', kind: 'repeat' }]
    const target: Step[] = [...around, { name: 'n', kind: 'question' }]
    return { xform, path: `/data/${names(repeat)}`, reference: expectedPath(repeat, target) }
  }

  it.each(upTo(maxDepth).map((chain): [string, Kind[]] => [chain.join(' ') || 'the form', chain]))(
    'count and relevance of a repeat in %s are seen from the repeat element',
    (_, outer) => {
      const { xform, path, reference } = counted(outer)
      expect(xform).toContain(`<repeat nodeset="${path}" jr:count=" ${reference} ">`)
      expect(bindOf(xform, path)).toContain(` relevant=" ${reference}  &gt; 0"`)
    },
  )
})
