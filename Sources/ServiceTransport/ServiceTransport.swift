// What a transport needs of other modules: faults.

@_exported public import struct Soups.Fault
