@main enum Main {
    static func main() throws {
        for line in try ShopFeed.example.report() {
            print(line)
        }
    }
}
