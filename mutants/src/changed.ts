// Which lines were changed or added since a commit.
import { execFileSync } from 'node:child_process'

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

/** By files from the root; a file that is not known to git yet has all of its lines changed. */
export const changedSince = (root: string, commit: string): Map<string, (line: number) => boolean> => {
  const files = new Map<string, (line: number) => boolean>()
  for (const file of git(root, 'ls-files', '--others', '--exclude-standard', 'src').split('\n')) {
    if (file !== '') files.set(file, () => true)
  }
  let ranges: { from: number; count: number }[] = []
  for (const line of git(root, 'diff', '--unified=0', '--relative', commit, '--', 'src').split('\n')) {
    if (line.startsWith('+++ b/')) {
      const current: typeof ranges = []
      ranges = current
      files.set(line.slice(6), (one) => current.some(({ from, count }) => one >= from && one < from + count))
    }
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (from !== undefined) ranges.push({ from: Number(from), count: Number(count) })
  }
  return files
}
