// What a workload reports, and how it is printed: the figure, the raw limit of the same run, and the ratio.
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What the machine could do at best, measured in the same run. */
  readonly limit?: { readonly name: string; readonly value: number }
  /** What was aimed at, and whether the figure meets it. */
  readonly aim?: { readonly text: string; readonly isMet: boolean }
}

export interface WorkloadReport {
  readonly workload: string
  readonly figures: readonly Figure[]
  /** What keeps it from being faster, where that is known. */
  readonly limitedBy?: string
}

const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2)

const ratioOf = ({ value, limit }: Figure): string => (limit === undefined ? '' : (value / limit.value).toFixed(2))

const row = (figure: Figure): string[] => [
  figure.name,
  `${round(figure.value)} ${figure.unit}`,
  figure.limit === undefined ? '' : `${round(figure.limit.value)} ${figure.unit} (${figure.limit.name})`,
  ratioOf(figure),
  figure.aim === undefined ? '' : `${figure.aim.text} ${figure.aim.isMet ? '✓' : '✗'}`,
]

const header = ['Figure', 'Measured', 'Raw limit, same run', 'Ratio', 'Aim']

const table = (figures: readonly Figure[]): string =>
  [
    `| ${header.join(' | ')} |`,
    `|${header.map(() => '---').join('|')}|`,
    ...figures.map((figure) => `| ${row(figure).join(' | ')} |`),
    '',
  ].join('\n')

/** Everything, by workload. */
export const markdown = (reports: readonly WorkloadReport[]): string =>
  reports
    .map(({ workload, figures, limitedBy }) =>
      [`## ${workload}`, '', table(figures), ...(limitedBy === undefined ? [] : [limitedBy, ''])].join('\n'),
    )
    .join('\n')

/** What was aimed at; the cost of each workload to the server is left to the whole report. */
export const summary = (reports: readonly WorkloadReport[]): string =>
  table(reports.flatMap(({ figures }) => figures.filter(({ aim, limit }) => aim !== undefined && limit !== undefined)))

export const plain = ({ workload, figures }: WorkloadReport): string => {
  const rows = [header, ...figures.map(row)]
  const widths = header.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `\n${workload}\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}
