import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { scratchFolder } from './scripts/scratch.mjs'

// For every process of a test.
process.env.TMPDIR = scratchFolder()

/** What takes more than about five seconds of a processor begins first, so that nothing long is left for the end, when the
 * other cores have nothing to do. Their order among each other matters little. */
const long = [
  'server/test/process/',
  'server/test/browser/',
  'server/src/features/backups/',
  'server/src/features/briefcase/round-trip.test.ts',
  'server/src/features/data/indexes/tending.test.ts',
  'server/src/features/data/selection/query-fuzz.test.ts',
  'server/src/features/data/tables/options.test.ts',
  'server/src/features/data/tables/wide.test.ts',
  'server/src/features/forms/compiling/',
  'server/src/features/imports/',
  'server/src/platform/db/embedded/',
  'server/src/platform/files/s3-hostile.test.ts',
  'server/src/platform/vault/',
  'server/test/house/changing-reads.test.ts',
  'server/test/house/deleted-records.test.ts',
  'server/test/house/hostile-values.test.ts',
  'server/test/house/linear.test.ts',
  'server/test/house/openapi-client.test.ts',
  'server/test/house/openapi-lint.test.ts',
  'server/test/house/oracles.test.ts',
  'server/test/house/own-records.test.ts',
  'server/test/house/patterns.test.ts',
  'xlsform/test/browser.test.ts',
  'xlsform/test/corpus.test.ts',
  'xlsform/test/hostile',
  'xlsform/test/package.test.ts',
  'xlsform/test/random-forms.test.ts',
  'xlsform/test/rename.test.ts',
  'xlsform/test/round-trip.test.ts',
  'xlsform/test/sheets.test.ts',
  'xlsform/test/thread.test.ts',
  'xlsform/test/write-workbook.test.ts',
]

const isLong = ({ moduleId }: TestSpecification): boolean => long.some((part) => moduleId.includes(`/${part}`))

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // A worker goes on with files of its own project, and ends before those of another: each project's stand together.
    const names = new Set(['server', ...sorted.map(({ project }) => project.name)])
    return [...names].flatMap((name) => {
      const ofProject = sorted.filter(({ project }) => project.name === name)
      return [...ofProject.filter(isLong), ...ofProject.filter((file) => !isLong(file))]
    })
  }
}

export default defineConfig({
  test: {
    projects: ['xlsform', 'server', 'web'],
    // More than there are cores: tests wait for databases, processes and pages for half of their time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
  },
})
