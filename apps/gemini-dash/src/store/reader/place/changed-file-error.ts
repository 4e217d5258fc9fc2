/** A file was written anew or deleted since its sessions were read, so what is wanted of it must be looked up again. */
export class ChangedFileError extends Error {}
