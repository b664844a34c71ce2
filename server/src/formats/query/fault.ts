/** What is wrong with a query, a sort or a list of fields, in words for whoever sent it. */
export class QueryFault extends Error {}
