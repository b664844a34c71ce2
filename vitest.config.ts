import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest begins first, so that nothing long is left for the end, when the other cores have nothing to do. Their
 * order among each other matters little. */
const long = [
  'test/process/',
  'test/browser/',
  'src/features/imports/load.test.ts',
  'src/features/forms/compiling/compilers.test.ts',
  'src/platform/files/s3-hostile.test.ts',
  'test/house/oracles.test.ts',
  'test/house/patterns.test.ts',
  'test/house/linear.test.ts',
  'src/platform/db/embedded/',
]

const isLong = ({ moduleId }: TestSpecification): boolean => long.some((part) => moduleId.includes(part))

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // A worker goes on with files of its own project, and ends before those of another: each project's stand together.
    const ofServer = sorted.filter(({ project }) => project.name === 'server')
    const others = sorted.filter(({ project }) => project.name !== 'server')
    return [...ofServer.filter(isLong), ...ofServer.filter((file) => !isLong(file)), ...others]
  }
}

export default defineConfig({
  test: {
    projects: ['xlsform', 'server', 'web'],
    // One more than a small machine has cores: tests of processes wait for most of their time. The default leaves one idle.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
  },
})
