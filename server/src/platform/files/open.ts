import type { Files } from './files.js'
import { openFolderFiles } from './folder-files.js'
import { parseFilesUrl } from './location.js'

/** `url` as in parseFilesUrl; without one, files are in the default folder. */
export async function openFiles(url: string | undefined, defaults: { folder: string }): Promise<Files> {
  const location = parseFilesUrl(url ?? defaults.folder)
  if (location.kind === 'folder') return openFolderFiles(location.path)
  const { openS3Files } = await import('./s3-files.js')
  return openS3Files(location)
}
