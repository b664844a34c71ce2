import { lchown, stat } from 'node:fs/promises'

/** One `sudo` must not lock people out of their own folder: what root makes there belongs to the folder's owner. */
export async function matchOwner(folder: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  if (uid !== 0) await lchown(file, uid, gid)
}
