// Ports that are never called. Behind them are services that take lines of text for commands and skip what they do not
// understand: mail, news, chat, stores of data. A record with lines of the sender's choice would speak to them from here.
// Browsers keep most of these closed too, so nothing of the web is lost.

const commandPorts = new Set([
  ...[0, 7, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465],
  ...[512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995],
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697],
  ...[1433, 1521, 3306, 3389, 5432, 6379, 6380, 11211, 27017, 10080],
])

/** The port of an address when it is one of them. */
export const closedPortOf = ({ port }: URL): number | undefined =>
  port !== '' && commandPorts.has(Number(port)) ? Number(port) : undefined
