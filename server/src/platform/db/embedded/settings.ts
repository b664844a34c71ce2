// PostgreSQL's settings, for a machine of 2 cores and 4 GB that also runs the server. What protects data (fsync,
// synchronous_commit, full_page_writes, checksums) keeps PostgreSQL's default: on.

const defaults: Readonly<Record<string, string>> = {
  // 128 MB costs 28 MB of memory when idle and 256 MB costs 35, because the bookkeeping is touched at the start;
  // the system's own cache holds the rest either way.
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  // Default 3. Each is a process; reads ahead of 2 saturate one disk.
  io_workers: '2',
  // The default of 3 with 2 cores leaves none for requests.
  autovacuum_max_workers: '2',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_parallel_workers_per_gather: '1',
  // A search in 100,000 records took 61 ms on two cores and 79 ms on one, where the default of 1000 kept it.
  parallel_setup_cost: '300',
  // A process of 1.5 MB for a thing that is not used.
  max_logical_replication_workers: '0',
  // Compiling a query pays off after a second of running it.
  jit: 'off',
  // Every disk this runs on today is solid state or cached; 4 makes the planner avoid indexes.
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements go to the caller, who logs them without values. Here they would fill the disk and put
  // what people typed (DETAIL: Key (email)=(…) already exists) in a file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  logging_collector: 'off',
}

/** As arguments, not in postgresql.conf: a later release may choose better ones for clusters that exist. */
export function settingArguments(chosen: Record<string, string>, socketFolder: string): string[] {
  const settings = {
    ...defaults,
    ...chosen,
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: '5432',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
