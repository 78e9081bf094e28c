// What an app needs of other modules to call this one: faults.

@_exported public import struct Soups.Fault
