// Where backups lie and how they are read and written there: a folder, a bucket or one file; in the clear or sealed.
export { Damaged, PlaceRefused, WrongPassphrase } from './errors.js'
export { nameOfPlace, type Place } from './place.js'
export { type Lock, openVault, type SegmentRef, segmentKey, type Vault, type VaultOptions } from './vault.js'
export { writeAll } from './write-all.js'
